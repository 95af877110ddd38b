FINISHERS = {}


def finisher(name):
    def add(cls):
        FINISHERS[name] = cls
        return cls

    return add


def build_finisher(name, **parts):
    return FINISHERS[name](**parts)
