"""Several files at a time, in processes of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor

from laycalc.diagnostics.report import Result

from .checking import Job, check_file

__all__ = ["check_in_parallel"]

AHEAD = 4
"""Files a process that may be done and wait for their turn, so that results of slow readers do not pile up."""


def check_in_parallel(
    files: Sequence[str], job: Job, jobs: int, progress: Callable[[int], None]
) -> Iterator[tuple[str, Iterator[Result]]]:
    """Each file with its results, in the order of ``files``."""
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
