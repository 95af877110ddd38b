from collections import defaultdict

HANDLERS = defaultdict(list)


def on(event):
    def register(handler):
        HANDLERS[event].append(handler)
        return handler

    return register


def fire(event, runner):
    for handler in HANDLERS[event]:
        handler(runner)
