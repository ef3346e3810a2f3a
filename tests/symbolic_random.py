"""Random expressions with unknown numbers, random assumptions, and random points that satisfy them."""

from __future__ import annotations

import random
from collections.abc import Iterator

from laycalc.algebra.symbolic import Assumptions
from laycalc.algebra.symbolic.sample import member

SYMBOLS = ("M", "N", "K")
STRIDES = ("ld", "w")
NUMBERS = (1, 2, 3, 4, 6, 8, 12, 16)


class Maker:
    """Draws texts from one source of randomness."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def extent(self, symbolic: float = 0.5) -> str:
        r = self.random
        if r.random() > symbolic:
            return str(r.choice(NUMBERS))
        name = r.choice(SYMBOLS)
        return r.choice((name, name, name, name, f"({r.choice((2, 3, 4))}*{name})", f"({name}*{r.choice(SYMBOLS)})"))

    def stride(self) -> str:
        r = self.random
        return r.choice((self.extent(0.4), str(r.choice(NUMBERS)), r.choice(STRIDES), r.choice(SYMBOLS), "1"))

    def layout(self, rank: int | None = None, symbolic: float = 0.5) -> str:
        """Compact in some order, padded, or anything."""
        r = self.random
        rank = r.choice((1, 1, 2, 2, 2, 3)) if rank is None else rank
        shape = [self.extent(symbolic) for _ in range(rank)]
        kind = r.random()
        if kind < 0.55:
            order = list(range(rank))
            if r.random() < 0.5:
                r.shuffle(order)
            stride = [""] * rank
            weight = "1" if r.random() < 0.85 else self.stride()
            for i in order:
                stride[i] = weight
                weight = shape[i] if weight == "1" else f"{weight}*{shape[i]}"
                if r.random() < 0.1:
                    weight = r.choice(STRIDES)
        else:
            stride = [self.stride() for _ in range(rank)]
        if rank == 1:
            return f"{_atom(shape[0])}:{_atom(stride[0])}"
        if rank == 3 and r.random() < 0.3:
            return f"({shape[0]},({shape[1]},{shape[2]})):({stride[0]},({stride[1]},{stride[2]}))"
        return f"({','.join(shape)}):({','.join(stride)})"

    def tile(self) -> str:
        r = self.random
        return r.choice((str(r.choice(NUMBERS)), str(r.choice(NUMBERS)), self.extent(0.5), "_"))

    def expression(self) -> str:
        r = self.random
        kind = r.randrange(17)
        if kind <= 1:
            return f"{self.layout(2)} / <{self.tile()},{self.tile()}>"
        if kind == 2:
            return f"zipped_divide({self.layout(2)}, <{self.extent(0.2)},{self.extent(0.2)}>)"
        if kind <= 4:
            return f"{self.layout()} / {self.layout(r.choice((1, 1, 2)), 0.3)}"
        if kind <= 7:
            return f"{self.layout()} o {self.layout(r.choice((1, 1, 2)), 0.3)}"
        if kind == 8:
            axes = r.choice(("(e0,e1)", "(e1,e0)", "(e0,2e1)", "(2e0,e1)", "(e0,e0)"))
            return f"{self.layout(2)} o ({self.extent(0.3)},{self.extent(0.3)}):{axes}"
        if kind == 9:
            return f"{self.layout()} * {self.layout(r.choice((1, 1, 2)), 0.3)}"
        if kind == 10:
            return f"complement({self.layout(r.choice((1, 2)))}, {self.extent(0.7)})"
        if kind == 11:
            return r.choice((f"complement({self.layout(2)})", f"coalesce({self.layout(3)})"))
        if kind == 12:
            return f"right_inverse({self.layout(r.choice((1, 2, 2, 3)))})"
        if kind == 13:
            return f"left_inverse({self.layout(r.choice((1, 2, 2, 3)))})"
        if kind == 14:
            return r.choice(
                (
                    f"coalesce({self.layout(2)}) {r.choice(('===', '=='))} {self.layout(r.choice((1, 2)))}",
                    f"size({self.layout(2)}) % {r.choice(NUMBERS)} == 0",
                    f"size({self.layout(2)}) <= {self.extent()}",
                )
            )
        if kind == 15:
            at = ",".join(r.choice(("_", "0", "1", "2", r.choice(SYMBOLS))) for _ in range(2))
            return f"({self.layout(2)})({at})"
        return f"({self.layout(r.choice((1, 2)))})({r.choice(('0', '1', '5', '7', *SYMBOLS))})"

    def assumption(self) -> str:
        r = self.random
        name, other = r.sample((*SYMBOLS, *STRIDES), 2)
        number = r.choice(NUMBERS[1:])
        return r.choice(
            (
                f"{name} % {number} == 0",
                f"{name} % {number} == {r.randrange(number)}",
                f"{number} | {name}",
                f"{name} >= {number}",
                f"{name} <= {number}",
                f"{name} <= {other}",
                f"{other} | {name}",
                f"{name} == {number}*{other}",
                f"{name} != {number}",
                f"{name} >= {other}+{number}",
                f"{number} | {name}*{other}",
                f"{r.choice(STRIDES)} >= 0",
            )
        )

    def points(self, known: Assumptions, names: tuple[str, ...], count: int) -> Iterator[dict[str, int]]:
        """Points that satisfy the assumptions, most of them small."""
        facts = known.facts
        mentioned = {x for c in facts.conditions for x in c.symbols} | facts.domains.keys() | facts.solved.keys()
        every = sorted({*names, *mentioned})
        for _ in range(6 * count):
            if not count:
                return
            point = {}
            for name in every:
                domain = facts.domain(name)
                if domain.only is not None:
                    point[name] = self.random.choice(domain.only)
                    continue
                step = self.random.choice((0, 1, 1, 2, 3, 4, 5, 7, 8, 11, 15, 23, 31, 63))
                value = domain.lo + domain.mod * step
                point[name] = value if value in domain else member(domain, name, step)
            for name, value in facts.solved.items():
                found = value if type(value) is int else value.at(point)  # type: ignore[union-attr]
                if type(found) is int or found.denominator == 1:
                    point[name] = int(found)
            admissible = all(x in facts.domain(name) for name, x in point.items())
            if admissible and all(c.true_at(point) for c in facts.conditions):
                count -= 1
                yield point


class Merger(Maker):
    """Draws what breaks easily: modes that merge at some numbers, 1-tuples, coordinates, equalities among the facts."""

    def leaf(self) -> str:
        r = self.random
        return r.choice(("M", "N", "K", "(2*M)", "M*N")) if r.random() < 0.25 else str(r.choice((1, 2, 2, 3, 4, 6, 8)))

    def merging(self) -> str:
        """A layout whose strides are compact but for unknown ones here and there."""
        r = self.random
        shape = [self.leaf() for _ in range(r.choice((1, 2, 2, 2, 3)))]
        stride = [""] * len(shape)
        order = list(range(len(shape)))
        if r.random() < 0.3:
            r.shuffle(order)
        weight = "1"
        for i in order:
            stride[i] = weight if r.random() < 0.55 else r.choice(("N", "M", "K", "ld", "w", "2*N", "K*w"))
            weight = str(r.choice((2, 3, 5, 7))) if r.random() < 0.15 else f"{weight}*{shape[i]}"
        return f"{self.nested(shape)}:{self.nested(stride)}" if r.random() < 0.6 else self.single(shape, stride)

    def nested(self, entries: list[str]) -> str:
        return f"({','.join(entries)},)"

    def single(self, shape: list[str], stride: list[str]) -> str:
        """The last mode in brackets of its own: a 1-tuple inside or at the top."""
        *outer, last = (self.nested([x]) for x in (shape[-1], stride[-1]))
        if len(shape) == 1:
            return f"{outer[0]}:{last}"
        return f"({','.join(shape[:-1])},{outer[0]}):({','.join(stride[:-1])},{last})"

    def right(self) -> str:
        r = self.random
        n, d = r.choice(("2", "3", "4", "5", "6", "8", "12", "N", "M")), r.choice(("1", "1", "2", "3", "4", "6", "N"))
        two = f"({n},{r.choice((2, 3))}):({d},{r.choice((1, 4, 6, 12, 'N'))})"
        return r.choice((f"{n}:{d}", f"{n}:{d}", f"<{n}>", f"({n},)", two, n, f"<{n}:{d}>"))

    def at(self) -> str:
        return self.random.choice(("_", "0", "1", "2", "m", "k"))

    def expression(self) -> str:
        r, layout, right = self.random, self.merging(), self.right()
        divide = r.choice(("zipped_divide", "tiled_divide", "flat_divide"))
        return r.choice(
            (
                *(f"{layout} {operator} {right}" for operator in "ooo//*"),
                f"{divide}({layout}, {right})",
                *(f"{name}({layout})" for name in ("right_inverse", "left_inverse", "complement", "coalesce")),
                f"complement({layout}, {r.choice(('8', '16', '24', 'N', 'M*N'))})",
                f"{layout} {r.choice(('==', '==='))} {self.merging()}",
                layout,
                f"({layout})({r.choice(('0', '1', '3', '7', 'N', 'm'))})",
                f"({layout} / {right})({r.choice(('0', '3', '7', 'm'))})",
                f"({layout} / 4)((0,{self.at()}))",
                f"local_tile({layout}, ({r.choice((2, 3, 4))},{r.choice((2, 4, '_'))}), ({self.at()},{self.at()}))",
            )
        )

    def assumption(self) -> str:
        r = self.random
        a, b, c = r.sample((*SYMBOLS, *STRIDES), 3)
        n = r.choice((1, 2, 3, 4, 6, 8, 12))
        return r.choice(
            (
                f"{a} == {n}",
                f"{a} == {n}",
                f"{a} == {n}*{b}",
                f"{a} == {b}*{c}",
                f"{a} == {b}",
                f"{a}*{b} == {n}",
                f"{a} + {b} == {n + 4}",
                f"{a} == {b} + {n}",
                f"{a} in {{{n}, {2 * n}, {n + 1}}}",
                f"{n} | {a}",
                f"{a} <= {n}",
            )
        )


def _atom(text: str) -> str:
    return f"({text})" if "*" in text and not text.startswith("(") else text
