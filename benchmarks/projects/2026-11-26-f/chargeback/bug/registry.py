STRATEGIES, LOSSES = {}, {}


def strategy(name):
    def add(function):
        STRATEGIES[name] = function
        return function

    return add


def loss(name):
    def add(function):
        LOSSES[name] = function
        return function

    return add
