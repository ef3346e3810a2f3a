"""The files of a check, one after the other or several at a time in processes of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from laycalc.diagnostics.report import Result

from .checking import Job, check_file

if TYPE_CHECKING:
    from concurrent.futures import Future

__all__ = ["check_files"]

AHEAD = 4
"""Files a process that may be done and wait for their turn, so that results of slow readers do not pile up."""


def check_files(
    files: Sequence[str], job: Job, jobs: int, progress: Callable[[int], None]
) -> Iterator[tuple[str, Iterator[Result]]]:
    """Each file with its results, in order; with ``jobs`` > 1 several files are read at a time."""
    if jobs > 1 and len(files) > 1:
        yield from _in_parallel(files, job, jobs, progress)
    else:
        for file in files:
            yield file, check_file(file, job, progress)


def _in_parallel(
    files: Sequence[str], job: Job, jobs: int, progress: Callable[[int], None]
) -> Iterator[tuple[str, Iterator[Result]]]:
    """Each file with its results, in the order of ``files``."""
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(min(jobs, len(files))) as pool:
        waiting: list[tuple[str, Future[tuple[list[Result], int]]]] = []
        rest = iter(files)
        try:
            while True:
                while len(waiting) < jobs * AHEAD and (file := next(rest, None)) is not None:
                    waiting.append((file, pool.submit(_whole, file, job)))
                if not waiting:
                    return
                file, future = waiting.pop(0)
                results, read = future.result()
                progress(read)
                yield file, iter(results)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _whole(file: str, job: Job) -> tuple[list[Result], int]:
    """All results of a file, and how many bytes it has."""
    read = 0

    def count(bytes_: int) -> None:
        nonlocal read
        read += bytes_

    return [_settled(result) for result in check_file(file, job, count)], read


def _settled(result: Result) -> Result:
    if not result.findings:
        return result
    return result.replace(findings=tuple(f.replace(diagnostic=f.diagnostic.settled()) for f in result.findings))
