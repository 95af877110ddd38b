class EveryN:
    def __init__(self, n):
        self.n = n

    def due(self, number):
        return number % self.n == 0
