from . import hooks, strategies  # noqa: F401  (fills the registries)
