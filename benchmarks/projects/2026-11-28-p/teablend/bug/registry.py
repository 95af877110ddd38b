class Registry(dict):
    def register(self, name):
        def keep(thing):
            self[name] = thing
            return thing

        return keep


LOSSES = Registry()
UPDATES = Registry()
