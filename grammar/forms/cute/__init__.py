"""CuTe in every spelling: C++, the DSL, MLIR, prints, PyCuTe, Mojo and tensor-layouts."""
