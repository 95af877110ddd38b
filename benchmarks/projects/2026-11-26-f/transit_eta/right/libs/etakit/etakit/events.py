from collections import defaultdict


class Events:
    BATCH, UPDATE, EPOCH = "batch", "update", "epoch"

    def __init__(self):
        self._listeners = defaultdict(list)

    def on(self, name, listener):
        self._listeners[name].append(listener)

    def emit(self, name):
        for listener in self._listeners[name]:
            listener()
