import yaml


class Conf:
    """Settings by attribute: conf.optim.lr."""

    def __init__(self, entries):
        for key, value in entries.items():
            setattr(self, key, Conf(value) if isinstance(value, dict) else value)

    @classmethod
    def read(cls, path):
        with open(path) as file:
            return cls(yaml.safe_load(file))
