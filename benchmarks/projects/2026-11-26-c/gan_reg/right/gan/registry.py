class Registry:
    def __init__(self, name):
        self.name = name
        self._entries = {}

    def register(self, key):
        def wrap(cls):
            if key in self._entries:
                raise KeyError(f"{key} is already registered in {self.name}")
            self._entries[key] = cls
            return cls
        return wrap

    def build(self, key, **kwargs):
        if key not in self._entries:
            raise KeyError(f"unknown {self.name}: {key}; one of {sorted(self._entries)}")
        return self._entries[key](**kwargs)


UPDATES = Registry("updates")
