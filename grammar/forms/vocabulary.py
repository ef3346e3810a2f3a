"""What names mean in foreign text: every family's templates and calls in one place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import cpp, dsl, mojo, pycute, tensor_layouts
from .printed import pointer

__all__ = ["CALLS", "TEMPLATES", "pointer"]

TEMPLATES: dict[str, Callable[..., Any]] = cpp.TEMPLATES
CALLS: dict[str, Callable[..., Any]] = {**cpp.CALLS, **dsl.CALLS, **pycute.CALLS, **tensor_layouts.CALLS, **mojo.CALLS}
