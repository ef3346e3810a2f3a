"""Composition, concatenation and sum of morphisms (Categorical Foundations, sections 3.2 and 4.1)."""

from __future__ import annotations

from ..base.errors import LayoutError, refuse
from ..base.words import word
from ..values.htuple import HTuple, flatten, format_htuple
from .morphism import Morphism, arrow


@word("""
    categories: compose_morphisms(f: morphism, g: morphism)
    g o f
    law: layout(g o f) = layout(g) o layout(f)
    compose_morphisms(make_morphism((2),(1),(2,4)), make_morphism((2,4),(2,1),(4,2)))
""")
def compose(f: Morphism, g: Morphism) -> Morphism:
    """g o f, first f, then g: leaf i goes to g's target of f's target.

    Law (Theorem B): ``L_(g o f) = L_g o L_f``. LC304 (kind codomain_domain_mismatch) unless the codomain of f is the
    domain of g, the same nested tuple. Source: Categorical Foundations §3.2, §4.1.

    >>> f = Morphism((2, 2), (2, 6, 2), (3, 1))
    >>> print(compose(f, Morphism((2, 6, 2), (2, 2), (2, 0, 0))))
    (2,2) --(*,2)--> (2,2)
    """
    if f.codomain != g.domain:
        raise _mismatch(f, g)
    then = (0, *g.map)
    return arrow(f.domain, g.codomain, tuple([then[j] for j in f.map]))


def _mismatch(f: Morphism, g: Morphism) -> LayoutError:
    from .mutual import find_refinement

    same = f.targets == g.sources
    refinable = find_refinement(f.targets, g.sources) is not None
    hint = (
        "; the flattened tuples agree, so a change of parentheses repairs it"
        if same
        else "; a mutual refinement exists, so there is a weak composite" if refinable else ""
    )  # fmt: skip
    return refuse(
        "LC304",
        "the codomain {codomain} of the first morphism is not the domain {domain} of the second" + hint,
        op="compose_morphisms",
        kind="codomain_domain_mismatch",
        codomain=format_htuple(f.codomain),
        domain=format_htuple(g.domain),
        same_flattening=same,
        mutually_refinable=refinable,
        left_path=(),
        right_path=(),
    )


@word("""
    categories: concat_nested(f: morphism...)
    (f, g) with images apart
    concat_nested(make_morphism((6,3),(1,3),(6,4,3,2)), make_morphism((4,2),(2,4),(6,4,3,2)))
""")
def concat_nested(*parts: Morphism) -> Morphism:
    """(f_1,...,f_k): the domains become the modes of one domain, over one codomain.

    Law: ``L_(f,g) = (L_f, L_g)`` and ``h o (f,g) = (h o f, h o g)``. LC304 (kind codomain_mismatch) if the codomains
    differ, LC306 (kind images_overlap) if two share a target. Source: Categorical Foundations §4.1.

    >>> print(concat_nested(Morphism((6, 3), (6, 4, 3, 2), (1, 3)), Morphism((4, 2), (6, 4, 3, 2), (2, 4))))
    ((6,3),(4,2)) --(1,3,2,4)--> (6,4,3,2)
    """
    _check_images("concat_nested", parts)
    return _join(tuple(f.domain for f in parts), parts)


@word("""
    categories: concat_flat(f: morphism...)
    the flat concatenation
    concat_flat(make_morphism((6),(1),(6,4)), make_morphism((4),(2),(6,4)))
""")
def concat_flat(*parts: Morphism) -> Morphism:
    """f * g of flat morphisms: domains and maps one after the other.

    Law: ``L_(f*g)`` is the flat concatenation of L_f and L_g. Errors as `concat_nested`.

    >>> print(concat_flat(Morphism((8,), (8, 4), (1,)), Morphism((4,), (8, 4), (2,))))
    (8,4) --(1,2)--> (8,4)
    """
    flat = tuple(f.flat for f in parts)
    _check_images("concat_flat", flat)
    return _join(tuple(s for f in flat for s in f.sources), flat)


def _join(domain: HTuple, parts: tuple[Morphism, ...]) -> Morphism:
    map_ = tuple(j for f in parts for j in f.map)
    return arrow(domain, parts[0].codomain, map_)


def _check_images(op: str, parts: tuple[Morphism, ...]) -> None:
    if not parts:
        raise refuse("LC103", "{op} needs at least one morphism", op=op)
    seen: set[int] = set()
    for i, f in enumerate(parts):
        if f.codomain != parts[0].codomain:
            raise refuse(
                "LC304",
                "the morphisms have different codomains, {left} and {right}",
                op=op,
                kind="codomain_mismatch",
                left=format_htuple(parts[0].codomain),
                right=format_htuple(f.codomain),
                argument=i,
            )
        if shared := seen & f.image:
            raise refuse(
                "LC306",
                "the morphisms share the targets {shared}",
                op=op,
                kind="images_overlap",
                shared=sorted(shared),
                argument=i,
            )
        seen |= f.image


@word("""
    categories: sum_flat(f: morphism, g: morphism)
    f (+) g on both sides
    sum_flat(make_morphism((6),(1),(6)), make_morphism((4),(1),(4)))
""")
def sum_flat(f: Morphism, g: Morphism) -> Morphism:
    """f + g of flat morphisms: domains and codomains one after the other.

    Law: ``L_(f+g)`` is L_f followed by L_g with its strides times size(T). Source: Categorical Foundations §3.2.

    >>> print(sum_flat(Morphism((2,), (8, 2), (2,)), Morphism((5, 3), (5,), (1, 0))))
    (2,5,3) --(2,3,*)--> (8,2,5)
    """
    n = len(f.targets)
    map_ = (*f.map, *(j and j + n for j in g.map))
    return arrow(f.sources + g.sources, f.targets + flatten(g.codomain), map_)
