"""The score of an answer to a design task, from its text alone: a second reading of the rules, without laycalc.

Everything is counted lane by lane and element by element. 32 banks of 4 bytes; passes of 32, 16, 8 lanes for up to 4,
8, 16 bytes; loads of 8 and 16 bytes merge pairs of passes where all lanes agree with lane t^1, or all with t^2.
"""

from __future__ import annotations

import re
from itertools import product

MODES = {"none": 16, "32B": 32, "64B": 64, "128B": 128}


def ints(text: str):
    """A nested tuple of integers."""
    return eval(re.sub(r"[^0-9(),]", "", text))


def flat(value) -> list[int]:
    """The leaves."""
    return [x for part in value for x in flat(part)] if isinstance(value, tuple) else [value]


def modes(text: str):
    """The shape and stride of a layout text, and its swizzle (B, M, S) or None."""
    swizzle = None
    if text.startswith("Sw<"):
        head, _, text = text.split(" o ")
        swizzle = tuple(int(x) for x in head[3:-1].split(","))
    shape, stride = text.split(":")
    return ints(shape), ints(stride), swizzle


def swizzled(offset: int, swizzle) -> int:
    """Sw<B,M,S>(offset)."""
    if swizzle is None:
        return offset
    bits, base, shift = swizzle
    mask = ((1 << bits) - 1) << (base + max(0, shift))
    return offset ^ ((offset & mask) >> shift if shift >= 0 else (offset & mask) << -shift)


def offsets(text: str) -> list[int]:
    """The offset of every index, first mode fastest."""
    shape, stride, swizzle = modes(text)
    found = [0]
    for extent, step in zip(flat(shape), flat(stride), strict=True):
        found = [base + step * i for i in range(extent) for base in found]
    return [swizzled(x, swizzle) for x in found]


def passes(width: int, lanes: list[int | None], load: bool) -> list[range]:
    """The lanes of each pass; ``lanes`` are byte addresses."""
    lanes = lanes + [None] * (32 - len(lanes))
    served = 32 if width <= 4 else 128 // width
    if load and width >= 8:
        for by in (1, 2):
            pairs = ((a, lanes[t ^ by]) for t, a in enumerate(lanes))
            if all(a is None or b is None or a == b for a, b in pairs):
                served *= 2
                break
    return [range(i, i + served) for i in range(0, 32, served)]


def cost(width: int, lanes: list[int | None], load: bool) -> int:
    """The wavefronts of one instruction."""
    total = 0
    lanes = lanes + [None] * (32 - len(lanes))
    for served in passes(width, lanes, load):
        banks: dict[int, set[int]] = {}
        for t in served:
            if lanes[t] is not None:
                for word in range(lanes[t] // 4, (lanes[t] + width - 1) // 4 + 1):
                    banks.setdefault(word % 32, set()).add(word)
        total += max(map(len, banks.values()), default=0)
    return total


def vectors(task, access):
    """The instructions of an access: its lanes' vectors, each a list of elements (row, column)."""
    (rows, columns), bits = task["tile"], task["bits"]
    by_rows = access.get("along") == "rows"

    def vector(r, c, n):
        return [(r + i, c) if by_rows else (r, c + i) for i in range(n)]

    kind = access["kind"]
    if kind == "matrix":
        n = 128 // bits
        if by_rows:
            return [[vector(r, c + i, n) for i in range(8)] for r in range(0, rows, n) for c in range(0, columns, 8)]
        return [[vector(r + i, c, n) for i in range(8)] for r in range(0, rows, 8) for c in range(0, columns, n)]
    n = access["vec"]
    if kind == "lanes":
        high, wide = (n, 1) if by_rows else (1, n)
        grid = product(range(0, rows, high), range(0, columns, wide))
        order = sorted(grid) if access["order"] == "row" else sorted(grid, key=lambda rc: rc[::-1])
        cut = [vector(r, c, n) for r, c in order]
        return [cut[i : i + 32] for i in range(0, len(cut), 32)]
    if kind == "list":
        return [[at and vector(*at, n) for at in lanes] for lanes in access["instructions"]]
    high, wide = access["block"]
    shape, _, _ = modes(access["layout"])
    threads, values = map(_size, shape)
    places = offsets(access["layout"])
    found = []
    for r, c, first in product(range(0, rows, high), range(0, columns, wide), range(0, values, n)):
        lanes = []
        for t in range(threads):
            group = [places[t + threads * (first + i)] for i in range(n)]
            lanes.append([(r + at % high, c + at // high) for at in group])
        found += [lanes[i : i + 32] for i in range(0, threads, 32)]
    return found


def _size(shape) -> int:
    size = 1
    for extent in flat(shape):
        size *= extent
    return size


def wavefronts(task, access, table) -> int | None:
    """The cost of an access, None if a vector is cut."""
    rows, bits, total = task["tile"][0], task["bits"], 0
    for lanes in vectors(task, access):
        starts: list[int | None] = []
        for vector in lanes:
            if vector is None:
                starts.append(None)
                continue
            at = [table[r + rows * c] for r, c in vector]
            if at != list(range(at[0], at[0] + len(at))) or at[0] % len(at):
                return None
            starts.append(at[0] * bits // 8)
        if access["kind"] == "matrix":
            total += cost(16, starts, False)
        else:
            total += cost(max(1, access["vec"] * bits // 8), starts, access["op"] == "ld")
    return total


def plain_bits(task, table, mode: str, outer_rows: bool):
    """(outer, inner) -> bit address with the mode's swizzle taken away."""
    rows, bits = task["tile"][0], task["bits"]

    def at(outer, inner):
        r, c = (outer, inner) if outer_rows else (inner, outer)
        whole, part = divmod(table[r + rows * c] * bits, 8)
        return 8 * (whole ^ ((whole // 128 % (MODES[mode] // 16)) * 16)) + part

    return at


def boxes(task, table, mode: str, inner: str, lines: int = 1) -> int | None:
    """The fewest boxes of TMA of at least so many lines that write the tile, None if there are none."""
    rows, columns = task["tile"]
    outer, wide = (rows, columns) if inner == "cols" else (columns, rows)
    at = plain_bits(task, table, mode, inner == "cols")
    bits = task["bits"]
    best = None
    for n in (n for n in range(1, min(wide, 256) + 1) if wide % n == 0 and n * bits % 128 == 0):
        if mode != "none" and n * bits > 8 * MODES[mode]:
            continue
        pitch = n * bits if mode == "none" else 8 * MODES[mode]
        for m in (m for m in range(lines, min(outer, 256) + 1) if outer % m == 0):
            count = outer * wide // (n * m)
            if best is not None and count >= best:
                continue
            if all(
                at(y, x) % 1024 == 0
                and all(at(y + j, x + i) == at(y, x) + i * bits + j * pitch for j in range(m) for i in range(n))
                for y in range(0, outer, m)
                for x in range(0, wide, n)
            ):
                best = count
    return best


def descriptor(task, table, mode: str, major: str, mn: str) -> bool:
    """Does a descriptor of wgmma read the tile, by LBO and SBO that all instructions share?"""
    rows, columns = task["tile"]
    high, deep = (rows, columns) if mn == "rows" else (columns, rows)
    size, row = task["bits"] // 8, MODES[mode]
    if size not in (1, 2, 4) or (major == "MN" and size != 2) or deep * size % 32 or high % 8:
        return False
    bits = plain_bits(task, table, mode, mn == "rows")

    def at(m, k):
        return bits(m, k) // 8

    part = row // size
    if major == "K":
        near, far = (at(8, 0) - at(0, 0) if high > 8 else 0), (at(0, part) - at(0, 0) if row == 16 else 0)
    else:
        near, far = (at(part, 0) - at(0, 0) if high > part else 0), at(0, 8) - at(0, 0)
    if any(x < 0 or x % 16 or x >= 1 << 18 for x in (near, far)):
        return False
    wide, step = (64 if high % 64 == 0 else high), 32 // size

    def off(m, k):
        if major == "K":
            return m % 8 * row + m // 8 * near + k * size // row * far + k * size % row
        return m % part * size + m // part * near + k % 8 * row + k // 8 * far

    return all(
        at(m0, k0) % 16 == 0
        and all(at(m0 + m, k0 + k) == at(m0, k0) + off(m, k) for m in range(wide) for k in range(step))
        for m0 in range(0, high, wide)
        for k0 in range(0, deep, step)
    )


def smem_score(task, text: str) -> list[int] | None:
    """Wavefronts, boxes, class, bits or surplus; None for a layout that is not legal."""
    rows, columns = task["tile"]
    shape, _, swizzle = modes(text)
    table = offsets(text)
    if [_size(s) for s in shape] != [rows, columns] or len(set(table)) != rows * columns or min(table) < 0:
        return None
    walks = [a for a in task["accesses"] if a["kind"] not in ("tma", "wgmma")]
    costs = [wavefronts(task, access, table) for access in walks]
    if None in costs:
        return None
    counts = []
    for mode in MODES:
        tma = [boxes(task, table, mode, a["inner"]) for a in task["accesses"] if a["kind"] == "tma"]
        read = [descriptor(task, table, mode, a["major"], a["mn"]) for a in task["accesses"] if a["kind"] == "wgmma"]
        if None not in tma and all(read):
            counts.append(sum(tma))
    if not counts:
        return None
    surplus = max(table) + 1 - rows * columns
    if surplus:
        kind, price = 3, surplus
    elif swizzle is None:
        kind, price = 0, 0
    else:
        tmas = (boxes(task, table, mode, inner, 8) for mode in list(MODES)[1:] for inner in ("cols", "rows"))
        kind, price = 1 if any(n is not None for n in tmas) else 2, swizzle[0]
    return [sum(costs), min(counts), kind, price]


def copy_score(task, answer) -> list[int] | None:
    """Bytes of the vector (minus), sectors, wavefronts, lines; None for a copy that is none.

    make_tiled_copy: values fast, threads slow; the block is swept over the tile.
    """
    (rows, columns), bits, threads, vec = task["tile"], task["bits"], task["threads"], answer["vec"]
    (tshape, _, _), (vshape, _, _) = modes(answer["thr"]), modes(answer["val"])
    tm, tn, vm, vn = _size(tshape[0]), _size(tshape[1]), _size(vshape[0]), _size(vshape[1])
    thr, val = offsets(answer["thr"]), offsets(answer["val"])
    values = vm * vn
    if (
        sorted(thr) != list(range(threads))
        or sorted(val) != list(range(values))
        or rows % (tm * vm)
        or columns % (tn * vn)
    ):
        return None
    if values % vec or vec * bits > 128 or vec * bits % 8:
        return None
    thread_at = {t: (i % tm, i // tm) for i, t in enumerate(thr)}
    value_at = {v: (i % vm, i // vm) for i, v in enumerate(val)}
    sides = [(task["src"], True), (task["dst"], False)]
    tables = [offsets(side["layout"]) if side["space"] != "register" else None for side, _ in sides]
    score = [-vec * bits // 8, 0, 0, 0]
    for r0, c0 in product(range(0, rows, tm * vm), range(0, columns, tn * vn)):
        for first in range(0, values, vec):
            for warp in range(0, threads, 32):
                for (side, load), table in zip(sides, tables, strict=True):
                    if table is None:
                        continue
                    starts = []
                    for t in range(warp, min(warp + 32, threads)):
                        (m, n), at = thread_at[t], []
                        for v in range(first, first + vec):
                            (i, j) = value_at[v]
                            at.append(table[r0 + i + vm * m + rows * (c0 + j + vn * n)])
                        byte = side.get("base", 0) + at[0] * bits // 8
                        if at != list(range(at[0], at[0] + vec)) or byte % (vec * bits // 8):
                            return None
                        starts.append(byte)
                    if side["space"] == "global":
                        score[1] += len({a // 32 for a in starts})
                        score[3] += len({a // 128 for a in starts})
                    else:
                        score[2] += cost(vec * bits // 8, starts, load)
    return score


def mma_score(task, answer) -> list[int] | None:
    """Wavefronts of ldmatrix, and whether anything is permuted; None for a tiled MMA that breaks a condition.

    Every warp loads what it multiplies: tile by tile, atom by atom, matrix by matrix of 8 rows and 16 bytes of k.
    """
    (m, n, k), (am, an, ak), bits = task["mnk"], task["atom_mnk"], task["bits"]
    (wm, wn), (pm, pn, pk) = answer["warps"], answer["tile"]
    if wm * wn != task["warps"] or m % pm or n % pn or k % pk or pm % (am * wm) or pn % (an * wn) or pk % ak:
        return None
    if task.get("rows_by_warp") and wn > 1:
        return None
    rm, rn, rk, piece = pm // (am * wm), pn // (an * wn), pk // ak, 128 // bits
    orders = [
        list(range(extent)) if text is None else offsets(text)
        for text, extent in ((answer["permM"], pm), (answer["permN"], pn))
    ]
    if any(sorted(order) != list(range(extent)) for order, extent in zip(orders, (pm, pn), strict=True)):
        return None
    if min(2 * rm * rk * ak // piece, rn * rk * ak // piece) < 4:
        return None
    run = max(1, task["store_bytes"] * 8 // task["c_bits"])
    for lane, im, i_n in product(range(32), range(wm), range(wn)):
        if task["c_order"] == "row":
            held = {orders[1][2 * (lane % 4) + e + 8 * (i_n + wn * r)] for e in range(2) for r in range(rn)}
        else:
            held = {orders[0][lane // 4 + 8 * h + 16 * (im + wm * r)] for h in range(2) for r in range(rm)}
        if any(x not in held for y in held for x in range(y - y % run, y - y % run + run)):
            return None
    total = 0
    parts = ((0, m, pm, wm, rm, am, wn, "smem_A"), (1, n, pn, wn, rn, an, wm, "smem_B"))
    for which, extent, tile, warps, repeats, height, times, name in parts:
        table = offsets(task[name])
        for x0, i, r, h in product(range(0, extent, tile), range(warps), range(repeats), range(0, height, 8)):
            rows = [x0 + orders[which][q + h + height * (i + warps * r)] for q in range(8)]
            for at in range(0, k, piece):
                lines = [[table[row + extent * (at + j)] for j in range(piece)] for row in rows]
                if any(line != list(range(line[0], line[0] + piece)) or line[0] % piece for line in lines):
                    return None
                total += times * cost(16, [line[0] * bits // 8 for line in lines], False)
    return [total, int(answer["permM"] is not None or answer["permN"] is not None)]
