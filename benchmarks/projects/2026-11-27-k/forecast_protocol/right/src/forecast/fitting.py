import torch

from forecast.limits import NormLimit, largest_entry


class Forecaster:
    def __init__(self, net, precision, lr=1e-2, max_norm=1.0):
        self.net, self.precision = net, precision
        self.optimizer = torch.optim.Adam(net.parameters(), lr=lr)
        self.limit = NormLimit(precision, self.optimizer, max_norm)

    def update(self, past, future):
        self.optimizer.zero_grad()
        with self.precision.forward():
            loss = torch.nn.functional.smooth_l1_loss(self.net(past), future)
        self.precision.backward(loss)
        self.precision.true_gradients(self.optimizer)
        peak = largest_entry(self.net.parameters())
        norm = self.limit(self.net.parameters())
        self.precision.apply(self.optimizer)
        self.precision.settle()
        return loss.item(), peak, norm

    def run(self, data, epochs):
        for epoch in range(epochs):
            self.net.train()
            rows = torch.tensor([self.update(past, future) for past, future in data])
            print(epoch, "loss {:.4f} peak {:.4f} norm {:.4f}".format(*rows.mean(0).tolist()))
