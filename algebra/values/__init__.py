"""The values of the algebra and what each is by itself: tuples, shapes, strides, layouts, swizzles, tensors, tilers."""
