"""Parts of a flat morphism: restriction, factorisation, squeeze and sort (Categorical Foundations, section 3.2)."""

from __future__ import annotations

from collections.abc import Iterable

from ..base.errors import refuse
from ..base.words import word
from .morphism import Morphism, arrow


@word("""
    categories: restrict(f: morphism, positions: positions)
    f on some entries of its domain
    restrict(make_morphism((2,4),(2,1),(4,2)), (1))
""")
def restrict(f: Morphism, indices: Iterable[int]) -> Morphism:
    """f|_I: the arrows of the domain entries I, numbered from 1, increasing.

    Law: the layout keeps the modes I. LC103 (kind index_out_of_range or not_increasing) for other indices.
    Source: Categorical Foundations §3.2.

    >>> print(restrict(Morphism((2, 4, 8), (8, 2, 4), (2, 3, 1)), [1, 3]))
    (2,8) --(2,1)--> (8,2,4)
    """
    sources = f.sources
    chosen = _increasing(indices, len(sources), "restrict")
    return arrow(tuple(sources[i - 1] for i in chosen), f.targets, tuple(f.map[i - 1] for i in chosen))


@word("""
    categories: factorize(f: morphism, positions: positions)
    f through some entries of its codomain
    factorize(make_morphism((2),(1),(2,4)), (1))
""")
def factorize(f: Morphism, indices: Iterable[int]) -> Morphism:
    """f|^J: the codomain cut down to its entries J, which must hold the image.

    Law: the stride of i is divided by the product of the dropped entries below its target. LC304 (kind
    image_not_contained) if an arrow leads outside J, LC103 for indices that do not increase or do not exist. Source:
    Categorical Foundations §3.2.

    >>> print(factorize(Morphism((8, 8), (2, 8, 3, 2, 8), (5, 2)), [2, 4, 5]))
    (8,8) --(3,1)--> (8,2,8)
    """
    targets = f.targets
    chosen = _increasing(indices, len(targets), "factorize")
    number = {j: k for k, j in enumerate(chosen, 1)} | {0: 0}
    if missing := sorted(f.image - number.keys()):
        raise refuse(
            "LC304",
            "arrows lead to the targets {missing}, outside the chosen part of the codomain",
            op="factorize",
            kind="image_not_contained",
            missing=missing,
        )
    return arrow(f.sources, tuple(targets[j - 1] for j in chosen), tuple(number[j] for j in f.map))


def _increasing(indices: Iterable[int], length: int, op: str) -> list[int]:
    chosen = list(indices)
    before = 0
    for i in chosen:
        if type(i) is not int or not 1 <= i <= length:
            raise refuse(
                "LC103",
                "there is no entry {index} among {length}",
                op=op,
                kind="index_out_of_range",
                index=i,
                length=length,
            )
        if i <= before:
            raise refuse(
                "LC103", "entry {index} follows {before}; indices increase", op=op, kind="not_increasing", index=i,
                before=before,
            )  # fmt: skip
        before = i
    return chosen


@word("""
    categories: squeeze_flat(f: morphism)
    f without entries of 1
    squeeze_flat(make_morphism((2,1,8),(1,0,2),(2,8)))
""")
def squeeze_flat(f: Morphism) -> Morphism:
    """The morphism without its entries 1, on both sides. Law: ``L_(squeeze f) = squeeze(L_f)``; a functor, idempotent.

    >>> print(squeeze_flat(Morphism((1, 3, 2), (2, 1, 1), (3, 0, 1))))
    (3,2) --(*,1)--> (2)
    """
    kept = restrict(f, [i for i, s in enumerate(f.sources, 1) if s != 1])
    return factorize(kept, [j for j, t in enumerate(f.targets, 1) if t != 1])


@word("""
    categories: sort_flat(f: morphism)
    f with its domain sorted
    sort_flat(make_morphism((4,3,8),(3,1,0),(3,4,4)))
""")
def sort_flat(f: Morphism) -> Morphism:
    """The entries in the order of the layout's modes: base point first, by size, then by target.

    Law: ``L_(sort f) = sort(L_f)``. Source: Categorical Foundations §3.2.

    >>> print(sort_flat(Morphism((4, 3, 8), (3, 4, 4), (3, 1, 0))))
    (8,3,4) --(*,1,3)--> (3,4,4)
    """
    sources, map_ = f.sources, f.map
    order = sorted(range(len(map_)), key=lambda i: (map_[i], 0 if map_[i] else sources[i], i))
    return arrow(tuple(sources[i] for i in order), f.targets, tuple(map_[i] for i in order))


def is_sorted(f: Morphism) -> bool:
    """Base points first with sizes not decreasing, then increasing targets: ``sort_flat(f) == f`` for flat f.

    >>> is_sorted(Morphism((8, 3, 4), (3, 4), (0, 1, 2))), is_sorted(Morphism((4, 3), (3, 4), (2, 1)))
    (True, False)
    """
    return sort_flat(f) == f.flat
