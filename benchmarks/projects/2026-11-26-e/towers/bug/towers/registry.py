class Registry(dict):
    def __init__(self, kind):
        super().__init__()
        self.kind = kind

    def register(self, name):
        def wrap(obj):
            if name in self:
                raise KeyError(f"{self.kind} {name!r} registered twice")
            self[name] = obj
            return obj

        return wrap


STRATEGIES = Registry("strategy")
PROTOCOLS = Registry("protocol")
