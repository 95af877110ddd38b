class Registry(dict):
    def add(self, name):
        def keep(thing):
            self[name] = thing
            return thing

        return keep


PRESSES, UPDATES, SCHEDULES = Registry(), Registry(), Registry()
