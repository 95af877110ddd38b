class Options:
    """Attribute access, defaults, and what follows from them."""

    DEFAULTS = {"seed": 13, "days": 3, "lr": 0.01, "window": 8, "logs": 64}

    def __init__(self, **given):
        unknown = set(given) - set(self.DEFAULTS)
        if unknown:
            raise KeyError(f"unknown options: {sorted(unknown)}")
        self.__dict__.update(self.DEFAULTS)
        self.__dict__.update(given)

    @property
    def divisor(self):
        return self.DEFAULTS["window"]
