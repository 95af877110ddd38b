import torch
from torch import nn
from torch.nn import functional as F

from mixins import LossScaling, Scoring, Updating


class GCN(nn.Module):
    def __init__(self, n_in, hidden, n_out):
        super().__init__()
        self.first, self.second = nn.Linear(n_in, hidden), nn.Linear(hidden, n_out)

    def forward(self, x, adj):
        h = F.dropout(F.relu(adj @ self.first(x)), 0.3, self.training)
        return adj @ self.second(h)


class NodeClassifier(LossScaling, Updating, Scoring):
    def __init__(self, net, lr=0.02):
        self.net = net
        self.use_scaling()
        self.use_adam(lr)

    def fit(self, graph, epochs):
        for epoch in range(epochs):
            self.net.train()
            with torch.autocast("cpu", dtype=torch.float16):
                logits = self.net(graph.x, graph.adj)
                loss = F.cross_entropy(logits[graph.train].float(), graph.y[graph.train])
            self.push(loss)
            self.advance()
            if epoch % 5 == 0:
                print(epoch, round(loss.item(), 4), round(self.score(graph, graph.test), 3))
