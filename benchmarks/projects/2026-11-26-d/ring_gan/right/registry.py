class Registry(dict):
    def __init__(self, kind):
        super().__init__()
        self.kind = kind

    def add(self, name):
        def deco(obj):
            if name in self:
                raise KeyError(f"{self.kind} {name!r} exists already")
            self[name] = obj
            return obj

        return deco

    def build(self, name, **kw):
        return self[name](**kw)


NETS = Registry("network")
OBJECTIVES = Registry("objective")
