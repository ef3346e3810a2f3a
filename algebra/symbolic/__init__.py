"""Layouts with unknown extents and strides: polynomials, facts about symbols, and a search over cases.

The algorithms of `laycalc.algebra` run unchanged on polynomials. Where they ask a question about numbers, the facts
answer yes, no or open; an open question is explored both ways. `explore` is the entry:

>>> from laycalc.algebra.operations.divide import zipped_divide
>>> from laycalc.algebra.values.layout import Layout
>>> def tiled(n):
...     return zipped_divide(Layout((n["M"], n["N"]), (1, n["M"])), (32, 32))
>>> known = Assumptions().assume(claim("|", 32, symbol("N")))
>>> print(explore(tiled, known))
((32,32),(M/32,N/32)):((1,M),(32,32*M))
if 32 | M  mode 0: tile 32:1 against M:1  else ragged (LC401)

Nothing outside imports this package until a symbol occurs.
"""

from .assume import Among, Assumptions, Claim, Statement, claim, reading, unknown
from .compare import FORM_FREE, equal_functions, equal_values, form_matters
from .condition import Condition
from .explore import explore
from .facts import Facts
from .poly import Poly, symbol
from .report import Case, Obligation, Point, Report
from .search import Symbols
from .sweep import Sweep, sweep
from .values import at, is_symbolic

__all__ = [
    "FORM_FREE",
    "Among",
    "Assumptions",
    "Case",
    "Claim",
    "Condition",
    "Facts",
    "Obligation",
    "Point",
    "Poly",
    "Report",
    "Statement",
    "Sweep",
    "Symbols",
    "at",
    "claim",
    "equal_functions",
    "equal_values",
    "explore",
    "form_matters",
    "is_symbolic",
    "reading",
    "sweep",
    "symbol",
    "unknown",
]
