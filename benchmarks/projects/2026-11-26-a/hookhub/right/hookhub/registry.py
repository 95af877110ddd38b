HOOKS = {}


def hook(name, priority=50):
    def add(cls):
        cls.priority = priority
        HOOKS[name] = cls
        return cls

    return add


def build_hooks(config):
    from . import hooks  # noqa: F401

    built = [HOOKS[name](**options) for name, options in config.items()]
    return sorted(built, key=lambda h: h.priority)
