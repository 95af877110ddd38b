from pathlib import Path
from types import SimpleNamespace

import yaml

ROOT = Path(__file__).resolve().parent.parent


def to_namespace(node):
    if isinstance(node, dict):
        return SimpleNamespace(**{key: to_namespace(value) for key, value in node.items()})
    return node


def load_config(name):
    with open(ROOT / name) as handle:
        return to_namespace(yaml.safe_load(handle))
