import torch
from torch import nn


class GraphConv(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.own = nn.Linear(inputs, outputs)
        self.around = nn.Linear(inputs, outputs, bias=False)

    def forward(self, x, adjacency):
        return torch.relu(self.own(x) + self.around(adjacency @ x))


class GraphClassifier(nn.Module):
    def __init__(self, features, hidden, classes):
        super().__init__()
        self.first = GraphConv(features, hidden)
        self.second = GraphConv(hidden, hidden)
        self.head = nn.Linear(hidden, classes)

    def forward(self, x, adjacency, owner, count):
        x = self.second(self.first(x, adjacency), adjacency)
        pooled = torch.zeros(count, x.shape[1]).index_add(0, owner, x)
        return self.head(pooled)
