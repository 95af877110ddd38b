import yaml


class Box:
    """Settings by attribute, as deep as the file."""

    def __init__(self, values):
        for name, value in values.items():
            setattr(self, name, Box(value) if isinstance(value, dict) else value)


def load(path):
    with open(path) as f:
        return Box(yaml.safe_load(f))
