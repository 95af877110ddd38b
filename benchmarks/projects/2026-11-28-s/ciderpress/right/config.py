import yaml


class Config:
    """A tree of settings that is read by attribute."""

    def __init__(self, tree):
        for name, value in tree.items():
            setattr(self, name, Config(value) if isinstance(value, dict) else value)

    @classmethod
    def read(cls, path):
        with open(path) as stream:
            return cls(yaml.safe_load(stream))
