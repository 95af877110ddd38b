from dataclasses import dataclass

import yaml


class Node(dict):
    def __getattr__(self, name):
        try:
            value = self[name]
        except KeyError:
            raise AttributeError(name) from None
        return Node(value) if isinstance(value, dict) else value


@dataclass
class Window:
    accum_steps: int = 6

    @property
    def loss_weight(self):
        return 1.0 / self.accum_steps


def load(path):
    with open(path) as file:
        return Node(yaml.safe_load(file))
