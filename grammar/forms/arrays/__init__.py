"""Arrays with strides: numpy, torch and memref."""
