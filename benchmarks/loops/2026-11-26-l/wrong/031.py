import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn


class Learner:
    def __init__(self, net, lr=0.02):
        self.net = net
        self.ema = AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(0.9))
        self.opt = torch.optim.SGD(net.parameters(), lr=lr, momentum=0.9)

    def loss(self, batch):
        x, y = batch
        return nn.functional.l1_loss(self.net(x), y)

    def fit(self, train_batches, val_batches, epochs):
        for epoch in range(epochs):
            self.net.train()
            for batch in train_batches:
                self.opt.zero_grad()
                self.loss(batch).backward()
                self.opt.step()
                self.ema.update_parameters(self.net)
            self.net.eval()
            val = [self.loss(b).item() for b in val_batches]
            print(epoch, sum(val) / len(val))


torch.manual_seed(5)
make = lambda n: [(torch.randn(8, 4), torch.randn(8, 1)) for _ in range(n)]
Learner(nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1))).fit(make(6), make(3), 3)
