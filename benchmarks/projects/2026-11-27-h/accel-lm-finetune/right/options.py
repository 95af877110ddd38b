import json
from pathlib import Path
from types import SimpleNamespace


def load_options(path="finetune.json"):
    return SimpleNamespace(**json.loads(Path(path).read_text()))
