"""Where the kinds of picture and the formats stand; written by `python -m laycalc.generate`."""

PICTURES = {
    "bank": "kinds.banks:BANK",
    "blocked-product": "kinds.products:BLOCKED",
    "common-vector": "kinds.vectors:COMMON_VECTOR",
    "complement": "diagrams.morphism:COMPLEMENT",
    "complement-steps": "kinds.steps:COMPLEMENT",
    "composition": "diagrams.morphism:COMPOSITION",
    "composition-steps": "kinds.steps:COMPOSITION",
    "copy": "kinds.copies:COPY",
    "difference": "kinds.difference:DIFFERENCE",
    "divide-steps": "kinds.steps:DIVIDE",
    "division": "diagrams.morphism:DIVISION",
    "layout": "kinds.grid:LAYOUT",
    "mma": "kinds.mma:MMA",
    "morphism": "diagrams.morphism:MORPHISM",
    "panels": "kinds.panels:PANELS",
    "product": "diagrams.morphism:PRODUCT",
    "raked-product": "kinds.products:RAKED",
    "refinement": "diagrams.morphism:REFINEMENT",
    "slice": "kinds.slices:SLICE",
    "swizzle": "kinds.swizzles:SWIZZLE",
    "thread-value": "kinds.threads:THREAD_VALUE",
    "tiler": "kinds.tiles:TILER",
    "tiling": "kinds.tiles:TILING",
    "tma": "kinds.boxes:TMA",
}

ASKED = {
    "MMA": "mma",
    "copy": "copy",
    "layout": "layout",
    "layout and coordinates": "slice",
    "layout and tilers": "tiler",
    "layout over a tile": "thread-value",
    "layouts": "panels",
    "layouts over M x N x K": "mma",
    "morphism": "morphism",
    "swizzle": "swizzle",
    "tensor map": "tma",
}

FORMATS = {
    "html": "formats.html:HTML",
    "pdf": "formats.pdf:PDF",
    "png": "formats.png:PNG",
    "svg": "formats.svg:SVG",
    "tex": "formats.tikz:TEX",
    "tikz": "formats.tikz:TIKZ",
    "txt": "formats.terminal:TXT",
    "typ": "formats.typst:TYPST",
}
