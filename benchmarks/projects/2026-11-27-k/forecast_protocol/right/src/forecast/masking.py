import torch


class MaskedPretrainer:
    def __init__(self, net, precision, lr=5e-3, keep=0.7):
        self.net, self.precision, self.keep = net, precision, keep
        self.optimizer = torch.optim.Adam(net.parameters(), lr=lr)

    def run(self, data, epochs):
        for epoch in range(epochs):
            self.net.train()
            total = 0.0
            for past, _ in data:
                mask = (torch.rand_like(past) < self.keep).float()
                self.optimizer.zero_grad()
                with self.precision.forward():
                    loss = torch.nn.functional.mse_loss(self.net.rebuild(past * mask), past)
                self.precision.backward(loss)
                self.precision.apply(self.optimizer)
                self.precision.settle()
                total += loss.item()
            print("masked", epoch, round(total / len(data), 4))
