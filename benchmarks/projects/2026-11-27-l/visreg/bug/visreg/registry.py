class Registry:
    def __init__(self, name):
        self.name, self.entries = name, {}

    def register(self, cls):
        self.entries[cls.__name__] = cls
        return cls

    def build(self, spec, *args):
        spec = dict(spec)
        return self.entries[spec.pop("type")](*args, **spec)


MODELS = Registry("models")
HOOKS = Registry("hooks")
