from . import hooks, models
