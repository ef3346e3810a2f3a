"""The diagram of a morphism as data: entries in columns, brackets between them, arrows from entry to entry.

Rows count upwards from 0, columns in units; what is drawn how and in which colour is decided by the renderers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..base.errors import refuse
from ..base.record import Record
from ..values.htuple import HTuple, depth, entries, flatten
from ..values.shape import size

TREE = 2.2
"""Units between the sizes of the modes and the leaves of a tuple."""
ARROW = 3.0
"""Units between the two columns that arrows join."""
SPLIT = 2.5
"""Units between a tuple and its refinement."""
ROWS = 512
"""A diagram with more rows is refused."""


class Node(Record):
    """Something at a place: ``kind`` is entry, root (size of a mode), point (a bracket), label, title or caption."""

    id: str
    x: float
    y: float
    text: str = ""
    kind: str = "entry"
    muted: bool = False


class Link(Record):
    """A line from node to node: ``kind`` is arrow, second (a dashed arrow), split, bar, cut, fault or rule.

    ``group`` counts the mode of the domain that an arrow belongs to, None where that does not matter.
    """

    source: str
    target: str
    kind: str = "split"
    group: int | None = None


class Diagram(Record):
    """A picture before any drawing; ``top_down`` says that row 0 is the uppermost one."""

    kind: str
    nodes: tuple[Node, ...]
    links: tuple[Link, ...]
    caption: str = ""
    description: str = ""
    title: str = ""
    top_down: bool = False
    theme: str = "laycalc"

    def node(self, id: str) -> Node:
        """The node with an id."""
        return next(n for n in self.nodes if n.id == id)

    @property
    def rows(self) -> int:
        """How many rows the entries take."""
        return 1 + max((int(n.y) for n in self.nodes if n.kind == "entry"), default=0)


class Sketch:
    """Collects nodes and links; every method says where the next column may start."""

    def __init__(self, prefix: str = "") -> None:
        self.prefix = prefix
        self.nodes: list[Node] = []
        self.links: list[Link] = []

    def add(self, id: str, x: float, y: float, text: str = "", kind: str = "entry", *, muted: bool = False) -> str:
        """A node; its full id."""
        full = self.prefix + id
        self.nodes.append(Node(full, x, y, text, kind, muted))
        return full

    def link(self, source: str, target: str, kind: str = "split", group: int | None = None) -> None:
        """A link between ids of this sketch."""
        self.links.append(Link(self.prefix + source, self.prefix + target, kind, group))

    def column(
        self, name: str, x: float, leaves: Sequence[int], *, ys: Sequence[float] = (), muted: Iterable[int] = ()
    ) -> float:
        """The entries name1, name2, ... upwards at x; ``muted`` holds numbers of entries that play no part."""
        if len(leaves) > ROWS:
            raise refuse(
                "LC104", "a diagram of {rows} rows; the limit is {limit}", op="draw", rows=len(leaves), limit=ROWS
            )
        grey = set(muted)
        for i, entry in enumerate(leaves):
            y = ys[i] if ys else float(i)
            self.add(f"{name}{i + 1}", x, y, str(entry), muted=i + 1 in grey)
        return x

    def tree(
        self, name: str, root: str, x: float, nested: HTuple, ys: Sequence[float], *, right: bool = False
    ) -> float:
        """The brackets of a nested tuple beside its column at x, with the size of each mode as root; nothing if flat.

        Each bracket is a point at the mean height of the leaves it covers, its roots stand outermost.
        """
        if depth(nested) < 2:
            return x
        side = 1.0 if right else -1.0
        end = x + side * TREE
        leaf = 0
        for k, mode in enumerate(entries(nested), 1):
            count = len(flatten(mode))
            covered = ys[leaf : leaf + count]
            y = sum(covered) / count if count else (ys[leaf] if leaf < len(ys) else len(ys)) - 0.5
            self.add(f"{root}{k}", end, y, str(size(mode)), "root")
            if not isinstance(mode, tuple):
                self.link(f"{root}{k}", f"{name}{leaf + 1}")
            elif count:
                self._bracket(name, f"{root}{k}", mode, leaf, ys, end, -side * TREE / (depth(mode) + 1), 1)
            leaf += count
        return end

    def _bracket(
        self, name: str, parent: str, mode: HTuple, leaf: int, ys: Sequence[float], end: float, step: float, level: int
    ) -> None:
        count = len(flatten(mode))
        point = f"{parent}.{level}" if level == 1 else f"{parent}-{leaf + 1}"
        self.add(point, end + step * level, sum(ys[leaf : leaf + count]) / count, kind="point")
        self.link(parent, point)
        for entry in entries(mode):
            if isinstance(entry, tuple):
                if flatten(entry):
                    self._bracket(name, point, entry, leaf, ys, end, step, level + 1)
                leaf += len(flatten(entry))
            else:
                leaf += 1
                self.link(point, f"{name}{leaf}")

    def splits(self, name: str, x: float, common: str, x_common: float, groups: Sequence[HTuple]) -> None:
        """Lines from entries to the leaves that replace them, through a point where there are several."""
        leaf = 0
        ys = {n.id: n.y for n in self.nodes}
        for k, group in enumerate(groups, 1):
            count = len(flatten(group))
            pieces = [f"{common}{leaf + i + 1}" for i in range(count)]
            if count == 1:
                self.link(f"{name}{k}", pieces[0])
            elif count:
                y = sum(ys[self.prefix + p] for p in pieces) / count
                self.add(f"{name}{k}.1", (x + x_common) / 2, y, kind="point")
                self.link(f"{name}{k}", f"{name}{k}.1")
                for piece in pieces:
                    self.link(f"{name}{k}.1", piece)
            leaf += count

    def arrows(
        self, source: str, target: str, map_: Sequence[int], domain: HTuple | None = None, kind: str = "arrow"
    ) -> None:
        """The arrows of a map; with a domain each has the number of the mode that it starts in."""
        modes = domain if isinstance(domain, tuple) else (domain,)
        owner = [k for k, mode in enumerate(modes) for _ in flatten(mode)]
        for i, j in enumerate(map_):
            if j:
                self.link(f"{source}{i + 1}", f"{target}{j}", kind, None if domain is None else owner[i])

    def titles(self, at: dict[str, float]) -> None:
        """Headings above the columns, all in the row above the highest one."""
        top = max((n.y for n in self.nodes), default=0.0) + 1
        for text, x in at.items():
            self.add(f"title{len(self.nodes)}", x, top, text, "title")

    def caption(self, x: float, text: str) -> None:
        """A line below a part of the picture."""
        self.add(f"caption{len(self.nodes)}", x, -1.0, text, "caption")

    def shifted(self, dx: float) -> None:
        """Move everything to the right."""
        self.nodes = [n.replace(x=n.x + dx) for n in self.nodes]
