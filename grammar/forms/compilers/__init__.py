"""Index maps of other compilers and papers: XLA, isl, TileLang, LEGO, HeLayers, Graphene."""
