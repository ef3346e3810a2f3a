"""Complement, logical division and logical product of morphisms (Categorical Foundations, Theorems D, E and F)."""

from __future__ import annotations

from typing import Any

from ..base.errors import LayoutError, refuse
from ..base.words import word
from ..values.coalesce import coalesce
from ..values.htuple import format_htuple
from ..values.layout import Layout
from ..values.shape import size
from .compose import compose, concat_flat, concat_nested
from .morphism import Morphism, arrow_of, to_layout


class Complement(Morphism):
    """The complement of a morphism: itself a morphism, which also knows its coalesced layout and N."""

    __slots__ = ()

    @property
    def coalesced_layout(self) -> Layout:
        """coal(L_(f^c)) = comp(L_f, N)."""
        return coalesce(to_layout(self))

    @property
    def N(self) -> int:
        """The size of the codomain."""
        n: int = size(self.codomain)
        return n

    def as_json(self) -> dict[str, Any]:
        """The morphism with ``coalesced_layout`` and ``N``."""
        return {**super().as_json(), "coalesced_layout": str(self.coalesced_layout), "N": self.N}


@word("""
    categories: complement_morphism(f: morphism)
    the entries that f leaves out
    complement_morphism(make_morphism((5,3),(1,3),(5,2,3)))
""")
def complement_morphism(f: Morphism) -> Complement:
    """f^c: the entries of the codomain that f does not hit, in order, with their arrows.

    Law (Theorem D): ``coal(L_(f^c)) = comp(L_f, size T)``; f^c is injective and sorted, and ``(f^c)^c = sort(f)``.
    LC306 (kind not_injective) if an entry of f goes to the base point. Source: Categorical Foundations §3.2, §4.1.

    >>> print(complement_morphism(Morphism(((2, 2), (5, 5)), ((2, 5, 7), (2, 5, 7)), (1, 4, 2, 5))))
    (7,7) --(3,6)--> ((2,5,7),(2,5,7))
    """
    if not f.is_injective:
        raise _collapses(f, "complement_morphism", "not_injective", "a complement needs an injective morphism; ")
    return _free(f)


def _free(f: Morphism) -> Complement:
    targets = f.targets
    unhit = tuple(f.unhit)
    return arrow_of(Complement, tuple(targets[j - 1] for j in unhit), f.codomain, unhit)


def _collapses(f: Morphism, op: str, kind: str, text: str) -> LayoutError:
    return refuse(
        "LC306",
        text + "the entries {collapsed} of {domain} go to the base point",
        op=op,
        kind=kind,
        collapsed=f.collapsed,
        domain=format_htuple(f.domain),
        left_path=(),
    )


@word("""
    categories: is_complementary(f: morphism, g: morphism)
    do they cover the codomain, apart?
    is_complementary(make_morphism((5),(1),(5,3)), make_morphism((3),(2),(5,3)))
""")
def is_complementary(f: Morphism, g: Morphism) -> bool:
    """Do f and g hit every entry of one codomain exactly once between them, and send nothing to the base point?

    >>> is_complementary(Morphism((2, 3), (2, 2, 2, 3), (1, 4)), Morphism((2, 2), (2, 2, 2, 3), (2, 3)))
    True
    """
    return f.codomain == g.codomain and sorted(f.map + g.map) == list(range(1, len(f.targets) + 1))


@word("""
    categories: logical_divide_morphisms(f: morphism, g: morphism)
    f / g
    logical_divide_morphisms(make_morphism((4,2),(1,2),(4,2)), make_morphism((4),(1),(4,2)))
""")
def logical_divide_morphisms(f: Morphism, g: Morphism) -> Morphism:
    """f / g = f o (g, g^c): the domain is that of g, then what g leaves free.

    Law (Theorem E): ``coal(L_(f/g)) = coal(L_f / L_g)``. LC304 (kind does_not_divide) unless the codomain of g is the
    domain of f, LC306 (kind divisor_not_injective). Source: Categorical Foundations §4.1.

    >>> g = Morphism((4, 4), (4, 8, 4, 8), (1, 3))
    >>> print(logical_divide_morphisms(Morphism((4, 8, 4, 8), (4, 8, 4, 8), (1, 2, 3, 4)), g))
    ((4,4),(8,8)) --(1,3,2,4)--> (4,8,4,8)
    """
    _check_divides(f, g, "logical_divide_morphisms")
    return compose(concat_nested(g, _free(g)), f)


@word("""
    categories: divide_flat(f: morphism, g: morphism)
    the flat divide
    divide_flat(make_morphism((4,2),(1,2),(4,2)), make_morphism((4),(1),(4,2)))
""")
def divide_flat(f: Morphism, g: Morphism) -> Morphism:
    """The flat division ``f o (g * g^c)``; the flattening of `logical_divide_morphisms`.

    >>> f, g = Morphism((2, 8, 3), (3, 2, 8), (0, 3, 1)), Morphism((2, 3), (2, 8, 3), (1, 3))
    >>> print(divide_flat(f, g))
    (2,3,8) --(*,1,3)--> (3,2,8)
    """
    _check_divides(f.flat, g.flat, "divide_flat")
    return compose(concat_flat(g, _free(g)), f.flat)


def _check_divides(f: Morphism, g: Morphism, op: str) -> None:
    if g.codomain != f.domain:
        raise refuse(
            "LC304",
            "the codomain {divisor_codomain} of the divisor is not the domain {dividend_domain} of the dividend",
            op=op,
            kind="does_not_divide",
            divisor_codomain=format_htuple(g.codomain),
            dividend_domain=format_htuple(f.domain),
            left_path=(),
            right_path=(),
        )
    if not g.is_injective:
        raise _collapses(g, op, "divisor_not_injective", "a divisor must be injective; ")


@word("""
    categories: logical_product_morphisms(f: morphism, g: morphism)
    f * g
    logical_product_morphisms(make_morphism((5),(1),(5)), make_morphism((),(),()))
""")
def logical_product_morphisms(f: Morphism, g: Morphism) -> Morphism:
    """f * g = (f, f^c o g): g placed into what f leaves free.

    Law (Theorem F): ``L_(f*g) = L_f * L_g``. LC306 (kind first_factor_not_injective), LC304 (kind
    not_product_admissible) unless the codomain of g is the domain of f^c. Source: Categorical Foundations §4.1.

    >>> print(logical_product_morphisms(Morphism((2, 2), (2, 2, 5, 5), (1, 2)), Morphism((5, 5), (5, 5), (2, 1))))
    ((2,2),(5,5)) --(1,2,4,3)--> (2,2,5,5)
    """
    return concat_nested(f, _placed(f, g, "logical_product_morphisms"))


@word("""
    categories: product_flat(f: morphism, g: morphism)
    the flat product
    product_flat(make_morphism((5),(1),(5)), make_morphism((),(),()))
""")
def product_flat(f: Morphism, g: Morphism) -> Morphism:
    """The flat product ``f * (f^c o g)``. Law: associative; g injective implies ``(f*g)^c = f^c o g^c``.

    >>> print(product_flat(Morphism((2,), (2, 5), (1,)), Morphism((5,), (5,), (1,))))
    (2,5) --(1,2)--> (2,5)
    """
    return concat_flat(f.flat, _placed(f.flat, g.flat, "product_flat"))


def _placed(f: Morphism, g: Morphism, op: str) -> Morphism:
    if not f.is_injective:
        raise _collapses(f, op, "first_factor_not_injective", "the first factor must be injective; ")
    free = _free(f)
    if g.codomain != free.domain:
        raise refuse(
            "LC304",
            "the second factor goes to {second_codomain}, but the first one leaves {complement_domain} free",
            op=op,
            kind="not_product_admissible",
            complement_domain=format_htuple(free.domain),
            second_codomain=format_htuple(g.codomain),
            left_path=(),
            right_path=(),
        )
    return compose(g, free)
