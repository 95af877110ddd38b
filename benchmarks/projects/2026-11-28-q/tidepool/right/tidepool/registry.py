_TABLE = {}


def register(kind, name):
    def put(thing):
        _TABLE[kind, name] = thing
        return thing

    return put


def build(kind, name, **options):
    return _TABLE[kind, name](**options)
