import importlib
import sys
from pathlib import Path

ROOT = Path(__file__).parent
sys.path[:0] = [str(ROOT / "libs"), str(ROOT / "apps")]

from trainkit.group import one_process


def main(names):
    with one_process():
        for name in names:
            result = importlib.import_module(f"{name}.loop").main()
            print(name, round(result, 4))


if __name__ == "__main__":
    main(sys.argv[1:] or ["grader", "sorter"])
