class Registry(dict):
    def __init__(self, kind):
        super().__init__()
        self.kind = kind

    def register(self, name):
        def deco(cls):
            self[name] = cls
            return cls
        return deco

    def build(self, name, **kwargs):
        if name not in self:
            raise KeyError(f"no {self.kind} called {name}")
        return self[name](**kwargs)


MODELS = Registry("model")
LOSSES = Registry("loss")
