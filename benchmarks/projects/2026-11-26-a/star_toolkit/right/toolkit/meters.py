__all__ = ["History", "remember"]


class History(dict):
    """Lists of values by name."""

    def mean(self, name):
        values = self[name]
        return float(sum(values)) / len(values)


def remember(history, **values):
    for name, value in values.items():
        if hasattr(value, "item"):
            value = value.item()
        history.setdefault(name, []).append(value)
