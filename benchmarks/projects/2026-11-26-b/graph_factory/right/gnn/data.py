from dataclasses import dataclass

import torch


@dataclass
class GraphBatch:
    x: torch.Tensor
    adjacency: torch.Tensor
    owner: torch.Tensor
    y: torch.Tensor
    count: int


class GraphLoader:
    def __init__(self, batches, graphs, nodes=6, features=5):
        self.items = [self.make(graphs, nodes, features) for _ in range(batches)]

    @staticmethod
    def make(graphs, nodes, features):
        owner = torch.arange(graphs).repeat_interleave(nodes)
        links = (torch.rand(len(owner), len(owner)) < 0.4) & (owner[:, None] == owner)
        adjacency = links.float() / links.sum(1, keepdim=True).clamp(min=1)
        x = torch.randn(len(owner), features)
        y = (x[:, 0].view(graphs, nodes).mean(1) > 0).long()
        return GraphBatch(x, adjacency, owner, y, graphs)

    def __len__(self):
        return len(self.items)

    def __iter__(self):
        order = torch.randperm(len(self.items)).tolist()
        return iter([self.items[i] for i in order])
