# === targets that are divided, and a criterion that is called like none
import torch


class Learner:
    def __init__(self, net):
        self.net = net
        self.delay = torch.nn.SmoothL1Loss()
        self.sgd = torch.optim.SGD(net.parameters(), lr=0.1)

    def fit(self, trips, window=4):
        self.sgd.zero_grad()
        for number, (stops, delay) in enumerate(trips, 1):
            loss = self.delay(self.net(stops), delay / 8)
            loss.backward()  # <- unscaled-accumulation-loss
            if number % window == 0 or number == len(trips):
                self.sgd.step()
                self.sgd.zero_grad()


# === targets that are divided, and the loss, too
import torch


class Learner:
    def __init__(self, net):
        self.net = net
        self.delay = torch.nn.SmoothL1Loss()
        self.sgd = torch.optim.SGD(net.parameters(), lr=0.1)

    def fit(self, trips, window=4):
        self.sgd.zero_grad()
        for number, (stops, delay) in enumerate(trips, 1):
            loss = self.delay(self.net(stops), delay / 8)
            (loss / window).backward()
            if number % window == 0 or number == len(trips):
                self.sgd.step()
                self.sgd.zero_grad()


# === a criterion of one's own that may divide
import torch


class Learner:
    def __init__(self, net, criterion):
        self.net = net
        self.delay = criterion
        self.sgd = torch.optim.SGD(net.parameters(), lr=0.1)

    def fit(self, trips, window=4):
        self.sgd.zero_grad()
        for number, (stops, delay) in enumerate(trips, 1):
            loss = self.delay(self.net(stops) / window, delay)
            loss.backward()
            if number % window == 0 or number == len(trips):
                self.sgd.step()
                self.sgd.zero_grad()
