"""From a table of values to a layout or a swizzle, with the criteria that decide it. No operation of the algebra."""
