_STRATEGIES = {}


def register(name):
    def keep(cls):
        _STRATEGIES[name] = cls
        return cls

    return keep


def build(name, *args):
    return _STRATEGIES[name](*args)
