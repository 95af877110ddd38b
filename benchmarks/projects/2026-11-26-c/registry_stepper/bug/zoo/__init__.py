class Registry(dict):
    def register_module(self, name=None):
        def _register(cls):
            self[name or cls.__name__] = cls
            return cls
        return _register

    def build(self, cfg):
        kwargs = dict(cfg)
        return self[kwargs.pop("type")](**kwargs)


CLIPPERS = Registry()
TRIGGERS = Registry()

from . import clippers, triggers  # noqa: E402,F401
