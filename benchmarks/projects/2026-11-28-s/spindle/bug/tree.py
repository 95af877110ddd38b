import copy

import yaml

DEFAULTS = {
    "seed": 100,
    "net": {"fibres": 6, "width": 16},
    "optim": {"name": "adam", "lr": 0.02},
    "schedule": {"name": "exponential", "args": {"gamma": 0.8}},
    "amp": {"scale": 128.0, "max_norm": 1.0},
    "loop": {"epochs": 2, "batches": 10, "accum": 3},
}


class Node(dict):
    def __getattr__(self, name):
        try:
            value = self[name]
        except KeyError:
            raise AttributeError(name) from None
        return Node(value) if isinstance(value, dict) else value


def load(overrides):
    tree = copy.deepcopy(DEFAULTS)
    for item in overrides:
        path, _, text = item.partition("=")
        *parents, leaf = path.split(".")
        spot = tree
        for parent in parents:
            spot = spot[parent]
        spot[leaf] = yaml.safe_load(text)
    return Node(tree)
