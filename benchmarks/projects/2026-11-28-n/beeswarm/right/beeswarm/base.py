class Campaign:
    """The walk over rounds and batches; what happens in them is up to the subclass."""

    def __init__(self, batches):
        self.batches = batches

    def before_round(self, number):
        pass

    def after_round(self, number):
        pass

    def batch(self, x, y):
        raise NotImplementedError

    def run(self, rounds):
        for number in range(rounds):
            self.before_round(number)
            for x, y in self.batches:
                self.batch(x, y)
            self.after_round(number)
