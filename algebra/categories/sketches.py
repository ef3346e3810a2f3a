"""The diagrams of the categories: morphism, refinement or its failure, composition, complement, product, division."""

from __future__ import annotations

from math import log2

from ..values.coalesce import coalesce
from ..values.htuple import HTuple, depth, entries, flatten, format_htuple
from ..values.layout import Layout, make
from .complement import complement_morphism, logical_product_morphisms
from .compose import compose, concat_nested
from .diagram import ARROW, SPLIT, TREE, Diagram, Sketch
from .morphism import Morphism, to_layout
from .mutual import find_refinement, mutual_refinement, prefix_chain
from .nested import check_nested, relative_modes
from .relative import coalesce_relative
from .tractable import nullify, to_morphism
from .weak import resolve, weak_composite

GAP = 2.0
"""Units between the frames of a strip."""


def morphism_diagram(f: Morphism, *, products: bool = True) -> Diagram:
    """The leaves of domain and codomain with the arrows between them; brackets where a side is nested.

    ``products`` writes what lies below each entry of the codomain beside it: the stride of an arrow that ends there.

    >>> d = morphism_diagram(Morphism((4, 8), (8, 4), (2, 1)))
    >>> [(k.source, k.target) for k in d.links]
    [('s1', 't2'), ('s2', 't1')]
    """
    sketch = Sketch()
    end = _morphism(sketch, f, 0.0)
    if products:
        _products(sketch, f.targets, end + 0.9)
    layout = to_layout(f)
    return _diagram("morphism", sketch, f"{layout}\n{f}", f"the morphism {f}, which encodes the layout {layout}")


def _morphism(sketch: Sketch, f: Morphism, x: float, source: str = "s", target: str = "t") -> float:
    """Both columns from x on; where they end."""
    sources, targets = f.sources, f.targets
    left = x + (TREE if depth(f.domain) > 1 else 0.0)
    right = left + ARROW
    sketch.column(source, left, sources)
    sketch.tree(source, "r" + source, left, f.domain, list(range(len(sources))))
    sketch.column(target, right, targets)
    end = sketch.tree(target, "r" + target, right, f.codomain, list(range(len(targets))), right=True)
    sketch.arrows(source, target, f.map, f.domain)
    return end


def _products(sketch: Sketch, targets: tuple[int, ...], x: float) -> None:
    below = 1
    for j, t in enumerate(targets):
        sketch.add(f"p{j + 1}", x, float(j), str(below), "label")
        below *= t


def _diagram(kind: str, sketch: Sketch, caption: str, description: str) -> Diagram:
    return Diagram(kind, tuple(sketch.nodes), tuple(sketch.links), caption, description)


def refinement_diagram(T: HTuple, U: HTuple) -> Diagram:
    """The common refinement in the middle, T on its left and U on its right; where there is none, both to scale.

    >>> d = refinement_diagram((6, 6), (12, 3, 6))
    >>> d.caption
    "T' = (6,(2,3)), U' = ((6,2),3,6)"
    """
    x, y = check_nested(T, "refinement_diagram"), check_nested(U, "refinement_diagram")
    found = find_refinement(x, y)
    if found is None:
        return _failure(T, U, x, y)
    refinement = mutual_refinement(T, U)
    sketch = Sketch()
    sketch.column("m", 0.0, refinement.common)
    for name, side, leaves, groups, whole in (("t", -1.0, x, found[0], T), ("u", 1.0, y, found[1], U)):
        ys = _means(groups)
        sketch.column(name, side * SPLIT, leaves, ys=ys)
        sketch.splits(name, side * SPLIT, "m", 0.0, groups)
        sketch.tree(name, "r" + name, side * SPLIT, whole, ys, right=side > 0)
    left, right = format_htuple(refinement.T_refined), format_htuple(refinement.U_refined)
    return _diagram("refinement", sketch, f"T' = {left}, U' = {right}", f"the mutual refinement {refinement}")


def _means(groups: list[HTuple]) -> list[float]:
    """The mean row of the leaves of each group."""
    ys, leaf = [], 0
    for group in groups:
        count = len(flatten(group))
        ys.append(leaf + (count - 1) / 2)
        leaf += count
    return ys


def _failure(T: HTuple, U: HTuple, x: tuple[int, ...], y: tuple[int, ...]) -> Diagram:
    """Bars cut at the prefix products, heights by logarithm, and the pair that does not divide."""
    pair = prefix_chain(x, y) or ()
    sketch = Sketch()
    unit = max(len(x), len(y), 3) / max(1.0, *(sum(map(log2, t)) for t in (x, y)))
    for name, at, leaves in (("t", 0.0, x), ("u", ARROW, y)):
        product = 1
        heights = [0.0]
        for entry in leaves:
            product *= entry
            heights.append(log2(product) * unit)
        product = 1
        for k, height in enumerate(heights):
            product *= leaves[k - 1] if k else 1
            for corner, dx in (("l", -0.6), ("r", 0.6)):
                sketch.add(f"{name}{corner}{k}", at + dx, height, kind="point")
                if k:
                    sketch.link(f"{name}{corner}{k - 1}", f"{name}{corner}{k}", "cut")
            sketch.link(f"{name}l{k}", f"{name}r{k}", "fault" if product in pair else "cut")
            mark = "fault" if product in pair else "label"
            sketch.add(f"{name}p{k}", at + (-1.2 if name == "t" else 1.2), height, str(product), mark)
            if k:
                sketch.add(f"{name}{k}", at, (heights[k - 1] + height) / 2, str(leaves[k - 1]))
    names = f"T = {format_htuple(T)}   U = {format_htuple(U)}"
    why = f"{pair[0]} does not divide {pair[1]}" if pair else "T is larger than U"
    return _diagram("refinement", sketch, f"{names}\n{why}", f"no mutual refinement: {names}, {why}")


def composition_diagram(outer: Layout | Morphism, inner: Layout | Morphism) -> Diagram:
    """Four frames: the two morphisms, glued by their mutual refinement, resolved, and composed.

    Layouts enter as their morphisms, the outer one coalesced first. LC309 or LC310 where there is no such composition.

    >>> d = composition_diagram(Layout((12, 3, 6), (1, 72, 12)), Layout((6, 6), (6, 1)))
    >>> [n.text for n in d.nodes if n.kind == "caption"][-1]
    '((2,3),6):((6,72),1)'
    """
    f = inner if isinstance(inner, Morphism) else to_morphism(nullify(inner))
    g = outer if isinstance(outer, Morphism) else to_morphism(make(*coalesce(outer).flat()))
    weak = weak_composite(f, g)
    pulled, pushed = resolve(f, g, weak.refinement)
    frames = [_side_by_side(f, g), _glued(f, g), _resolved(pulled, pushed, f, g), _result(weak, f)]
    whole = Sketch()
    at = 0.0
    for frame in frames:
        left = min(n.x for n in frame.nodes)
        frame.shifted(at - left)
        at = max(n.x for n in frame.nodes) + GAP
        whole.nodes += frame.nodes
        whole.links += frame.links
    layout = coalesce_relative(to_layout(weak), f.domain)
    names = f"outer {outer}, inner {inner}"
    words = f"{names}: the composition is {layout}, by the refinement {weak.refinement}"
    return _diagram("composition", whole, names, words)


def _side_by_side(f: Morphism, g: Morphism) -> Sketch:
    sketch = Sketch("1")
    sketch.column("s", 0.0, f.sources)
    sketch.column("t", ARROW, f.targets)
    sketch.arrows("s", "t", f.map, f.domain)
    sketch.column("u", ARROW + GAP, g.sources)
    sketch.column("v", 2 * ARROW + GAP, g.targets)
    sketch.arrows("u", "v", g.map)
    sketch.titles({"S": 0.0, "T": ARROW, "U": ARROW + GAP, "V": 2 * ARROW + GAP})
    sketch.caption(ARROW + GAP / 2, "two morphisms")
    return sketch


def _glued(f: Morphism, g: Morphism) -> Sketch:
    sketch = Sketch("2")
    refinement = mutual_refinement(f.targets, g.sources)
    xs = [0.0, ARROW, ARROW + SPLIT, ARROW + 2 * SPLIT, 2 * ARROW + 2 * SPLIT]
    columns = (f.sources, f.targets, refinement.common, g.sources, g.targets)
    for name, x, leaves in zip("stmuv", xs, columns, strict=True):
        sketch.column(name, x, leaves)
    sketch.splits("t", xs[1], "m", xs[2], entries(refinement.T_refined))
    sketch.splits("u", xs[3], "m", xs[2], entries(refinement.U_refined))
    sketch.arrows("s", "t", f.map, f.domain)
    sketch.arrows("u", "v", g.map)
    sketch.titles(dict(zip(("S", "T", "common", "U", "V"), xs, strict=True)))
    sketch.caption(xs[2], "glued by the refinement")
    return sketch


def _resolved(pulled: Morphism, pushed: Morphism, f: Morphism, g: Morphism) -> Sketch:
    sketch = Sketch("3")
    common, fine = pushed.sources, pushed.targets
    xs = [0.0, ARROW, 2 * ARROW]
    used = pulled.image
    sketch.column("s", xs[0], pulled.sources)
    sketch.column("m", xs[1], common, muted=[j for j in range(1, len(common) + 1) if j not in used])
    sketch.column("v", xs[2], fine)
    titles = dict(zip(("S'", "common", "V'"), xs, strict=True))
    if _refined(sketch, "s", "S", xs[0], -SPLIT, f.sources, relative_modes(pulled.domain, f.domain)):
        titles["S"] = -SPLIT
    if _refined(sketch, "v", "V", xs[2], SPLIT, g.targets, relative_modes(pushed.codomain, g.codomain)):
        titles["V"] = xs[2] + SPLIT
    sketch.arrows("s", "m", pulled.map, pulled.domain)
    owner = {link.target: link.group for link in sketch.links if link.kind == "arrow"}
    for i, j in enumerate(pushed.map, 1):
        if j:
            sketch.link(f"m{i}", f"v{j}", "arrow" if i in used else "unused", owner.get(f"{sketch.prefix}m{i}"))
    sketch.titles(titles)
    sketch.caption(xs[1], "resolved")
    return sketch


def _refined(
    sketch: Sketch, fine: str, name: str, x: float, dx: float, leaves: tuple[int, ...], groups: tuple[HTuple, ...]
) -> bool:
    """The unrefined entries beyond a column, if anything was split."""
    if all(not isinstance(group, tuple) for group in groups):
        return False
    sketch.column(name, x + dx, leaves, ys=_means(list(groups)))
    sketch.splits(name, x + dx, fine, x, groups)
    return True


def _result(weak: Morphism, f: Morphism) -> Sketch:
    sketch = Sketch("4")
    end = _morphism(sketch, weak.flat if depth(weak.domain) < 2 else Morphism(weak.domain, weak.targets, weak.map), 0.0)
    sketch.caption(end / 2, str(coalesce_relative(to_layout(weak), f.domain)))
    return sketch


def complement_diagram(f: Morphism) -> Diagram:
    """f and its complement on one codomain, the complement dashed. LC306 if f is not injective.

    >>> [k.kind for k in complement_diagram(Morphism((2,), (2, 5), (1,))).links]
    ['arrow', 'second', 'rule']
    """
    c = complement_morphism(f)
    sketch = Sketch()
    m = len(f.map)
    left = TREE if depth(f.domain) > 1 else 0.0
    sketch.column("s", left, f.sources)
    sketch.tree("s", "rs", left, f.domain, list(range(m)))
    sketch.column("c", left, c.sources, ys=[m + i for i in range(len(c.map))])
    sketch.column("t", left + ARROW, f.targets)
    sketch.tree("t", "rt", left + ARROW, f.codomain, list(range(len(f.targets))), right=True)
    sketch.arrows("s", "t", f.map, f.domain)
    sketch.arrows("c", "t", c.map, kind="second")
    _rule(sketch, m, left)
    return _diagram("complement", sketch, f"f    {f}\nf^c  {c}", f"the morphism {f} and its complement {c}")


def _rule(sketch: Sketch, row: int, x: float) -> None:
    """A thin line between stacked domains."""
    for name, dx in (("rule0", -0.8), ("rule1", 0.8)):
        sketch.add(name, x + dx, row - 0.5, kind="point")
    sketch.link("rule0", "rule1", "rule")


def _dash(sketch: Sketch, after: int) -> None:
    """The arrows of the upper one of two stacked domains are drawn as second ones."""
    sketch.links = [
        k.replace(kind="second") if k.kind == "arrow" and int(k.source[1:]) > after else k for k in sketch.links
    ]


def product_diagram(f: Morphism, g: Morphism) -> Diagram:
    """f * g: the domain of f below, that of g above, over one codomain; errors as `logical_product_morphisms`.

    >>> product_diagram(Morphism((2,), (2, 5), (1,)), Morphism((5,), (5,), (1,))).caption
    '((2),(5)):((1),(2))\\n((2),(5)) --(1,2)--> (2,5)'
    """
    h = logical_product_morphisms(f, g)
    sketch = Sketch()
    _morphism(sketch, h, 0.0)
    _rule(sketch, len(f.map), TREE)
    _dash(sketch, len(f.map))
    return _diagram("product", sketch, f"{to_layout(h)}\n{h}", f"the product of {f} and {g}: {h}")


def division_diagram(f: Morphism, g: Morphism) -> Diagram:
    """f / g in two steps: the divisor and its complement go into the domain of f, then f.

    >>> d = division_diagram(Morphism((2, 5), (2, 5), (1, 2)), Morphism((2,), (2, 5), (1,)))
    >>> d.caption.splitlines()[0]
    '((2),(5)):((1),(2))'
    """
    c = complement_morphism(g)
    both = concat_nested(g, c)
    h = compose(both, f)
    sketch = Sketch()
    _morphism(sketch, Morphism(both.domain, both.targets, both.map), 0.0, "s", "m")
    _dash(sketch, len(g.map))
    _rule(sketch, len(g.map), TREE)
    sketch.column("t", TREE + 2 * ARROW, f.targets)
    owner = {k.target: k.group for k in sketch.links if k.kind != "split"}
    for i, j in enumerate(f.map, 1):
        if j:
            sketch.link(f"m{i}", f"t{j}", "arrow", owner.get(f"m{i}"))
    return _diagram("division", sketch, f"{to_layout(h)}\n{h}", f"the division of {f} by {g}: {h}")
