DEFAULTS = {
    "seed": 6,
    "days": 2,
    "data": {"batches": 12},
    "optim": {"rate": 0.03, "window": 4},
    "delay": {"beta": 0.5, "shares": 8},
}


class Conf:
    """A tree of settings, read by attribute."""

    def __init__(self, tree):
        for name, value in tree.items():
            setattr(self, name, Conf(value) if isinstance(value, dict) else value)

    @classmethod
    def load(cls):
        return cls(DEFAULTS)
