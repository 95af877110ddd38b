import json


class Settings:
    """Attribute access for what a JSON file says."""

    def __init__(self, values):
        for key, value in values.items():
            setattr(self, key, Settings(value) if isinstance(value, dict) else value)

    @classmethod
    def read(cls, path):
        with open(path) as handle:
            return cls(json.load(handle))
