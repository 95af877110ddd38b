class Registry:
    def __init__(self, name):
        self.name = name
        self._items = {}

    def register(self, key):
        def wrap(cls):
            if key in self._items:
                raise KeyError(f"{key} is already a {self.name}")
            self._items[key] = cls
            return cls

        return wrap

    def build(self, cfg, **extra):
        cfg = dict(cfg)
        return self._items[cfg.pop("type")](**cfg, **extra)


HOOKS = Registry("hook")
STRATEGIES = Registry("strategy")
