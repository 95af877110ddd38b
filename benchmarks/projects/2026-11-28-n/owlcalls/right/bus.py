from collections import defaultdict

_LISTENERS = defaultdict(list)


def listens(event):
    """Listeners are called in the order in which they are written down."""

    def keep(function):
        _LISTENERS[event].append(function)
        return function

    return keep


def emit(event, ctx):
    for function in _LISTENERS[event]:
        function(ctx)
