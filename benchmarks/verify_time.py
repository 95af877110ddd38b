# /// script
# requires-python = ">=3.10"
# ///
"""How long `gradlint verify` takes: one file in a new process, and each further loop.

    python benchmarks/verify_time.py fixtures/clip-after-step/buggy.py --more fixtures/sound --repeat 3

The clock on the wall, start of Python and import of torch included. A further loop is what the command takes longer
for all files of `--more` than for the one file, by loop; loops that differ are run once more as repaired.
Budgets: 5 seconds, and half a second.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence

COLD, FURTHER = 5.0, 0.5


def run(paths: Sequence[str]) -> tuple[float, int]:
    """Seconds that one command takes, and how many loops it ran.

    Raises:
        RuntimeError: the command could not do its work.
    """
    command = [sys.executable, "-m", "gradlint", "verify", "--device", "cpu", "--output-format", "json", *paths]
    begin = time.perf_counter()
    ran = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own command
    seconds = time.perf_counter() - begin
    if ran.returncode not in (0, 1, 4):
        raise RuntimeError(ran.stderr.strip() or f"ended with {ran.returncode}")
    return seconds, int(json.loads(ran.stdout)["summary"]["loops"])


def main(arguments: Sequence[str] | None = None) -> int:
    """Print both figures; 1 where one is over its budget."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("file", help="one file with a loop")
    parser.add_argument("--more", nargs="+", required=True, metavar="PATH", help="files and folders with further loops")
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="runs of which the median counts (3)")
    options = parser.parse_args(arguments)
    if importlib.util.find_spec("torch") is None:
        parser.error(f"{sys.executable} has no torch")
    cold = [run([options.file]) for _ in range(max(1, options.repeat))]
    seconds = statistics.median(one for one, _ in cold)
    longer, loops = run([options.file, *options.more])
    further = (longer - seconds) / max(1, loops - cold[0][1])
    sys.stdout.write(f"cold, one file  {seconds:6.2f} s  (budget {COLD:g})\n")
    sys.stdout.write(f"each further    {further:6.2f} s  (budget {FURTHER:g}, {loops - cold[0][1]} loops)\n")
    return int(seconds > COLD or further > FURTHER)


if __name__ == "__main__":
    sys.exit(main())
