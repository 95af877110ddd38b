import torch
from torch import nn


class History:
    def __init__(self):
        self.train_losses = []
        self.epoch_means = []

    def on_batch_end(self, value):
        self.train_losses.append(value)

    def on_epoch_end(self):
        tail = self.train_losses[-8:]
        self.epoch_means.append(sum(float(v) for v in tail) / len(tail))


class GraphNet(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.w1, self.w2 = nn.Linear(d, 16), nn.Linear(16, 3)

    def forward(self, adj, h):
        return self.w2(adj @ torch.relu(self.w1(adj @ h)))


def fit(net, graphs, epochs):
    opt = torch.optim.Adagrad(net.parameters(), lr=0.05)
    history = History()
    for _ in range(epochs):
        for adj, feats, label in graphs:
            opt.zero_grad()
            loss = nn.functional.cross_entropy(net(adj, feats), label)
            loss.backward()
            opt.step()
            history.on_batch_end(loss)
        history.on_epoch_end()
    return history


torch.manual_seed(17)
graphs = []
for _ in range(8):
    a = (torch.rand(12, 12) < 0.3).float()
    a = (a + a.t() + torch.eye(12)).clamp(max=1)
    graphs.append((a / a.sum(1, keepdim=True), torch.randn(12, 5), torch.randint(0, 3, (12,))))
print(fit(GraphNet(5), graphs, 4).epoch_means)
