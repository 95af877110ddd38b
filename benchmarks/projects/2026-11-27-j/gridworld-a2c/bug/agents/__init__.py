from agents.a2c import A2C

__all__ = ["A2C"]
