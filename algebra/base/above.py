"""What values do with the help of rooms above them: texts, arrays, pictures.

The arrows of the house point down, so a value cannot import its picture. The package at the top knows where each of
these functions is; a method asks for it when it is called.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from .record import Value

if TYPE_CHECKING:
    from numpy.typing import NDArray


@cache
def above(name: str) -> Callable[..., Any]:
    """The function of this name; its module is imported now."""
    package = import_module(__name__.partition(".")[0])
    found: Callable[..., Any] = package.above(name)
    return found


class Pictured:
    """A value that a notebook draws."""

    __slots__ = ()

    def _repr_svg_(self) -> str | None:
        """The picture, in fewer than 200 KB; None where there is none."""
        found: str | None = above("picture")(self)
        return found

    def to_dict(self) -> dict[str, Any]:
        """The object that ``--json`` writes."""
        found: dict[str, Any] = above("object")(self)
        return found


def written(self: Any) -> str:
    """The repr of a value that has no constructor for users: the call of `laycalc.read` that gives it."""
    return f"read({str(self)!r})"


R = TypeVar("R")
"""What an operation on such a value gives."""


class Operators(Pictured, Value, Generic[R]):
    """A function from coordinates to offsets."""

    __slots__ = ()

    def __matmul__(self, inner: Any) -> R:
        """``A @ B``: the composition; law ``(A @ B)(c) = A(B(c))``."""
        found: R = above("composition")(self, inner)
        return found

    def __truediv__(self, tiler: Any) -> R:
        """``A / B``: the logical divide."""
        found: R = above("logical_divide")(self, tiler)
        return found

    def __mul__(self, pattern: Any) -> R:
        """``A * B``: the logical product."""
        found: R = above("logical_product")(self, pattern)
        return found

    def equivalent(self, other: Any) -> bool:
        """Are both the same function of the index? ``==`` compares their form."""
        found: bool = above("equivalent")(self, other)
        return found

    def offsets(self) -> NDArray[Any]:
        """All values in order of the index as a numpy array; a value with coordinates is a row. Law: ``[i] = A(i)``."""
        found: NDArray[Any] = above("offsets")(self)
        return found

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """The offsets as an array with an axis for each mode. Law: ``np.asarray(A)[i, j] = A(i, j)``."""
        found: NDArray[Any] = above("array")(self)
        return found if dtype is None else found.astype(dtype)

    def to(self, form: str, shape: tuple[int, ...] | None = None) -> str:
        """The text in another notation: cpp, dsl, pycute, numpy, torch, latex, triton, ..."""
        found: str = above("write")(self, form, shape)
        return found
