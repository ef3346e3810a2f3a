"""Morphisms of nested tuples: arrows from the leaves of the domain to equal leaves of the codomain (the category Nest).

A morphism of Tuple is one whose domain and codomain are flat tuples; `Morphism.flat` is the functor between the two.
Leaves are numbered from 1; 0 stands for the base point, printed ``*``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, SupportsIndex, TypeVar, overload

from ..base.above import Pictured
from ..base.errors import LayoutError, refuse
from ..base.record import Value
from ..base.words import word
from ..values.htuple import HTuple, Sizes, flatten, format_htuple, told, unflatten
from ..values.layout import Layout, make
from .nested import check_nested


class Morphism(Pictured, Value):
    """``S --(a1,...,am)--> T``: leaf i of S goes to leaf a_i of T, or to the base point if a_i = 0. Immutable.

    Law: no two leaves share a target, and ``a_i = j != 0`` implies ``s_i = t_j``. Raises LC202 (an entry is not a
    positive integer) and LC206 (the map is no morphism: ``kind`` is map_length, target_out_of_range, not_injective or
    entry_mismatch). Source: Categorical Foundations §3.1, §4.1.

    >>> print(Morphism(((2, 2), (2, 4)), (2, 2, 2, 4), (1, 3, 2, 4)))
    ((2,2),(2,4)) --(1,3,2,4)--> (2,2,2,4)
    """

    __slots__ = ("codomain", "domain", "map")
    __match_args__ = ("domain", "codomain", "map")
    domain: HTuple
    codomain: HTuple
    map: tuple[int, ...]

    @overload
    def __init__(self, domain: str) -> None: ...
    @overload
    def __init__(self, domain: Sizes, codomain: Sizes, map: Iterable[SupportsIndex]) -> None: ...

    def __init__(self, domain: Any, codomain: Any = None, map: Any = None) -> None:
        domain, codomain, targets = _parts(domain, codomain, map)
        _check(domain, codomain, targets)
        _set_domain(self, domain)
        _set_codomain(self, codomain)
        _set_map(self, targets)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Morphism)
            and self.map == other.map
            and self.domain == other.domain
            and self.codomain == other.codomain
        )

    def __hash__(self) -> int:
        return hash((self.domain, self.codomain, self.map))

    def __str__(self) -> str:
        targets = ",".join("*" if j == 0 else str(j) for j in self.map)
        return f"{format_htuple(self.domain)} --({targets})--> {format_htuple(self.codomain)}"

    def as_json(self) -> dict[str, Any]:
        """``domain``, ``codomain`` and the encoded ``layout`` as text, ``map`` as a list with 0 for the base point."""
        return {
            "domain": format_htuple(self.domain),
            "codomain": format_htuple(self.codomain),
            "map": list(self.map),
            "layout": str(to_layout(self)),
        }

    @property
    def sources(self) -> tuple[int, ...]:
        """The leaves of the domain."""
        return flatten(self.domain)

    @property
    def targets(self) -> tuple[int, ...]:
        """The leaves of the codomain."""
        return flatten(self.codomain)

    @property
    def image(self) -> frozenset[int]:
        """The numbers of the leaves of the codomain that an arrow reaches."""
        return frozenset(self.map) - {0}

    @property
    def collapsed(self) -> list[int]:
        """The numbers of the leaves of the domain that go to the base point."""
        return [i for i, j in enumerate(self.map, 1) if j == 0]

    @property
    def unhit(self) -> list[int]:
        """The numbers of the leaves of the codomain that no arrow reaches, in order."""
        image = self.image
        return [j for j in range(1, len(self.targets) + 1) if j not in image]

    @property
    def is_injective(self) -> bool:
        """No leaf goes to the base point; such a morphism has a complement."""
        return 0 not in self.map

    @property
    def is_isomorphism(self) -> bool:
        """Every leaf of the domain and of the codomain has exactly one arrow."""
        return 0 not in self.map and len(self.map) == len(self.targets)

    @property
    def is_non_degenerate(self) -> bool:
        """Every leaf 1 of the domain goes to the base point."""
        return all(j == 0 for s, j in zip(self.sources, self.map, strict=True) if s == 1)

    @property
    def flat(self) -> Morphism:
        """The same arrows between the flattened tuples: a morphism of Tuple."""
        return arrow(self.sources, self.targets, self.map)


def _parts(domain: Any, codomain: Any, map: Any) -> tuple[HTuple, HTuple, tuple[int, ...]]:
    """The parts of a morphism, or of its text; LC103 for a map that is no list."""
    read, targets = told(domain), told(list(map) if isinstance(map, Iterable) else map)
    if isinstance(read, Morphism) and codomain is map is None:
        return read.domain, read.codomain, read.map
    if not isinstance(targets, tuple):
        raise refuse("LC103", "{map} is no map of a morphism", op="morphism", map=format_htuple(targets))
    return read, told(codomain), targets


_set_domain = Morphism.__dict__["domain"].__set__
_set_codomain = Morphism.__dict__["codomain"].__set__
_set_map = Morphism.__dict__["map"].__set__
_new = object.__new__

M = TypeVar("M", bound=Morphism)


def arrow(domain: HTuple, codomain: HTuple, map: tuple[int, ...]) -> Morphism:
    """A morphism from parts that are known to fit: no checks. For the algebra itself."""
    return arrow_of(Morphism, domain, codomain, map)


def arrow_of(kind: type[M], domain: HTuple, codomain: HTuple, map: tuple[int, ...]) -> M:
    """`arrow` for a kind of morphism that knows more about itself."""
    f = _new(kind)
    _set_domain(f, domain)
    _set_codomain(f, codomain)
    _set_map(f, map)
    return f


def identity(x: HTuple, other: HTuple | None = None) -> Morphism:
    """The identity of ``x``, or the change of parentheses from ``x`` to a tuple with the same leaves.

    >>> print(identity((2, (3, 4)), (2, 3, 4)))
    (2,(3,4)) --(1,2,3)--> (2,3,4)
    """
    codomain = x if other is None else other
    return Morphism(x, codomain, range(1, len(flatten(x)) + 1))


@word("""
    categories: layout(f: morphism)
    the layout of a morphism as a value
    layout(to_morphism((4,8):(8,1)))
""")
def to_layout(f: Morphism) -> Layout:
    """L_f: the shape is the domain; the stride of leaf i is the product of the codomain below its target.

    Law: ``d_i = t_1 * ... * t_(a_i - 1)``, 0 for the base point. Composition with an expansion leaves L_f unchanged,
    and so does the nesting of the codomain. Source: Categorical Foundations §3.3.

    >>> to_layout(Morphism(((4, 2), (3, 7)), (3, (4, 5), 2), (2, 4, 1, 0)))
    Layout('((4,2),(3,7)):((3,60),(1,0))')
    """
    weights = [0]
    weight = 1
    for t in f.targets:
        weights.append(weight)
        weight *= t
    strides = [weights[j] for j in f.map]
    domain = f.domain
    if not isinstance(domain, tuple):
        return make(domain, strides[0])
    return make(domain, unflatten(strides, domain))


def _check(domain: HTuple, codomain: HTuple, map: tuple[int, ...]) -> None:
    sources = check_nested(domain, "morphism")
    targets = check_nested(codomain, "morphism")
    if len(map) != len(sources):
        raise _fault(
            "map_length",
            "the map has {length} targets for the {leaves} leaves of {domain}",
            domain=format_htuple(domain),
            length=len(map),
            leaves=len(sources),
        )
    owner: dict[int, int] = {}
    for i, j in enumerate(map, 1):
        if type(j) is not int or not 0 <= j <= len(targets):
            raise _fault(
                "target_out_of_range",
                "leaf {source} of the domain goes to leaf {target}; the codomain has {codomain_length}",
                source=i,
                target=j,
                codomain_length=len(targets),
            )
        if j == 0:
            continue
        if j in owner:
            raise _fault(
                "not_injective",
                "leaves {sources} of the domain share the target {target}",
                target=j,
                sources=[owner[j], i],
            )
        owner[j] = i
        if sources[i - 1] != targets[j - 1]:
            raise _fault(
                "entry_mismatch",
                "leaf {source} of the domain is {domain_entry}, its target {target} of the codomain {codomain_entry}",
                source=i,
                target=j,
                domain_entry=sources[i - 1],
                codomain_entry=targets[j - 1],
            )


def _fault(kind: str, template: str, **facts: Any) -> LayoutError:
    return refuse("LC206", template, op="morphism", kind=kind, **facts)
