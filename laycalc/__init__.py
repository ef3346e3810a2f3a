"""laycalc: a calculator, picture maker and checker for CuTe layouts."""
