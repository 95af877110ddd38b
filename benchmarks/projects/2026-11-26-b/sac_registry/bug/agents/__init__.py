from .registry import AGENTS
from . import sac


def make(name, **kwargs):
    return AGENTS[name](**kwargs)
