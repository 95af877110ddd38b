from .registry import HOOKS, build_hooks

__all__ = ["HOOKS", "build_hooks"]
