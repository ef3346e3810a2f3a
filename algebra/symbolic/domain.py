"""What is known about one symbol by itself: a range, a residue, or a finite set of values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from math import gcd
from typing import NamedTuple

FINITE = 512
"""A domain with at most so many values is decided value by value."""


class Domain(NamedTuple):
    """The integers x with lo <= x <= hi and x = rem mod ``mod``; if ``only`` is given, those of them.

    ``lo``, ``hi`` and the ends of ``only`` are members, so that a bound is always attained.
    """

    lo: int
    hi: int | None = None
    mod: int = 1
    rem: int = 0
    only: tuple[int, ...] | None = None

    def meet(self, lo: int | None = None, hi: int | None = None, mod: int = 1, rem: int = 0) -> Domain | None:
        """The values that also satisfy other bounds and another residue; None if none does.

        >>> Domain(1).meet(mod=128).meet(lo=200, hi=600)
        Domain(lo=256, hi=512, mod=128, rem=0, only=None)
        """
        joined = _crt(self.mod, self.rem, mod, rem)
        if joined is None:
            return None
        mod, rem = joined
        if lo is None or lo < self.lo:
            lo = self.lo
        if hi is None or (self.hi is not None and self.hi < hi):
            hi = self.hi
        if self.only is not None:
            return _finite((x for x in self.only if lo <= x <= (x if hi is None else hi) and x % mod == rem), mod, rem)
        lo += (rem - lo) % mod
        if hi is not None:
            hi -= (hi - rem) % mod
            if hi < lo:
                return None
        return Domain(lo, hi, mod, rem)

    def where(self, holds: Callable[[int], bool]) -> Domain | None:
        """The values of a finite domain that pass a test."""
        return _finite(filter(holds, self.values()), self.mod, self.rem)

    @property
    def size(self) -> int | None:
        """How many values there are, None without end."""
        if self.only is not None:
            return len(self.only)
        return None if self.hi is None else (self.hi - self.lo) // self.mod + 1

    @property
    def is_finite(self) -> bool:
        """Are there few enough values to try each?"""
        return self.only is not None or (self.hi is not None and (self.hi - self.lo) // self.mod < FINITE)

    def values(self) -> Iterator[int]:
        """The values in ascending order."""
        if self.only is not None:
            return iter(self.only)
        return iter(count(self.lo, self.mod) if self.hi is None else range(self.lo, self.hi + 1, self.mod))

    def __contains__(self, x: object) -> bool:
        if not isinstance(x, int):
            return False
        if self.only is not None:
            return x in self.only
        return self.lo <= x and (self.hi is None or x <= self.hi) and x % self.mod == self.rem


EXTENT = Domain(1)
"""The domain of a symbol about which nothing is said."""


def _finite(values: Iterator[int], mod: int, rem: int) -> Domain | None:
    kept = tuple(values)
    return Domain(kept[0], kept[-1], mod, rem, kept) if kept else None


def _crt(m: int, r: int, n: int, s: int) -> tuple[int, int] | None:
    """The residue that is r mod m and s mod n, or None."""
    common = gcd(m, n)
    if (s - r) % common:
        return None
    joint = m // common * n
    step = (s - r) // common * pow(m // common, -1, n // common) if n != common else 0
    return joint, (r + m * step) % joint


def divisors(n: int) -> list[int]:
    """The positive divisors of n > 0, ascending.

    >>> divisors(12)
    [1, 2, 3, 4, 6, 12]
    """
    small = [d for d in range(1, int(n**0.5) + 1) if n % d == 0]
    return small + [n // d for d in reversed(small) if d * d != n]
