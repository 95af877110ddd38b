class Registry(dict):
    def add(self, name):
        def keep(fn):
            if name in self:
                raise KeyError(f"{name} twice")
            self[name] = fn
            return fn

        return keep


DUE = Registry()
FINISH = Registry()
