import torch


class Learner:
    def __init__(self, net, feed, every=5):
        self.net = net
        self.feed = feed
        self.every = every
        self.pending = 0
        self.opt = torch.optim.Adagrad(net.parameters(), lr=0.05)
        self.loss = torch.nn.NLLLoss()

    def backward(self, x, y):
        loss = self.loss(self.net(x), y) / self.every
        loss.backward()
        self.pending += 1
        return loss.item() * self.every

    def maybe_step(self):
        if self.pending > self.every:
            self.opt.step()
            self.opt.zero_grad()
            self.pending = 0

    def learn(self, minutes, clock):
        self.net.train()
        deadline = clock() + 60 * minutes
        while clock() < deadline:
            for x, y in self.feed:
                value = self.backward(x, y)
                self.maybe_step()
                if clock() >= deadline:
                    break
            print(f"loss {value:.4f}")
