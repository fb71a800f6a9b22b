"""The quantities by theme: each a function that reshapes arrays and reads the answer off them, beside its formula."""
