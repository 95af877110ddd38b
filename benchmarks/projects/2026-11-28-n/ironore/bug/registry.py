_KNOWN = {}


def hook(name):
    def keep(cls):
        _KNOWN[name] = cls
        return cls

    return keep


def create(name, **options):
    return _KNOWN[name](**options)


class Hook:
    def before_batch(self, runner):
        pass

    def after_batch(self, runner):
        pass

    def before_update(self, runner):
        pass

    def after_update(self, runner):
        pass
