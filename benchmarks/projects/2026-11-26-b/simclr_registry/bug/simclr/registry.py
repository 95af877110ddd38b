class Registry(dict):
    def register(self, name):
        def add(item):
            if name in self:
                raise KeyError(f"{name} is taken")
            self[name] = item
            return item

        return add
