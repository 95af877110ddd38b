import json
from pathlib import Path
from types import SimpleNamespace


def load(name):
    raw = json.loads((Path(__file__).parent / name).read_text())
    run = SimpleNamespace(**raw)
    run.loss_weight = run.batch / run.effective_batch
    return run
