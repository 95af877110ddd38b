from collections import defaultdict


class Events:
    def __init__(self):
        self.handlers = defaultdict(list)

    def on(self, name, handler):
        self.handlers[name].append(handler)

    def fire(self, name, **facts):
        for handler in self.handlers[name]:
            handler(**facts)
