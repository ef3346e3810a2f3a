"""What all tests share: the shared helpers on the path, hypothesis without deadlines, the rates of the golden facts."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import settings

sys.path.insert(0, str(Path(__file__).parent))

settings.register_profile("suite", deadline=None, derandomize=True, max_examples=60, print_blob=True)
settings.load_profile("suite")

RATES = pytest.StashKey[dict[str, Counter[str]]]()


@pytest.fixture(scope="session")
def rates(request: pytest.FixtureRequest) -> dict[str, Counter[str]]:
    """Counters of identical text by file and operation, printed at the end of the run."""
    return request.config.stash.setdefault(RATES, {})


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """One line for each operation of the golden facts: how many answers have the very same text."""
    tables = config.stash.get(RATES, {})
    for source in sorted(tables):
        counts = tables[source]
        operations = sorted({key.rpartition("/")[0] for key in counts})
        terminalreporter.section(f"identical text, {source}")
        same = total = 0
        for operation in operations:
            equal, all_ = counts[f"{operation}/text"], counts[f"{operation}/all"]
            same, total = same + equal, total + all_
            if all_:
                terminalreporter.write_line(f"{operation:24} {equal:5} of {all_:5}  {100 * equal / all_:6.2f} %")
        if total:
            terminalreporter.write_line(f"{'all':24} {same:5} of {total:5}  {100 * same / total:6.2f} %")
