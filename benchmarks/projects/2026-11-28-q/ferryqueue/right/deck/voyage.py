from torch.nn import functional as F


class Voyage:
    def __init__(self, net, optimizer, crew):
        self.net, self.optimizer, self.crew = net, optimizer, crew
        self.log = {}

    def call(self, order, *args):
        for hand in self.crew:
            hand.obey(order, self, *args)

    def sail(self, crossings, days):
        for day in range(days):
            self.net.train()
            for cars, lane in crossings:
                self.call("cast_off")
                loss = F.cross_entropy(self.net(cars), lane)
                loss.backward()
                self.call("before_step")
                self.optimizer.step()
                self.call("after_step", loss.item())
            self.call("moor", day)
