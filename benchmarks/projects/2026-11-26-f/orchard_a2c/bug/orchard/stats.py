class Ledger:
    def __init__(self):
        self.episodes = 0
        self.pay = 0.0
        self.loss = 0.0

    def book(self, rewards, loss):
        self.episodes += 1
        self.pay += sum(rewards)
        self.loss += loss

    def line(self):
        return f"{self.episodes:4d} pay {self.pay / self.episodes:.3f} loss {float(self.loss) / self.episodes:.3f}"
