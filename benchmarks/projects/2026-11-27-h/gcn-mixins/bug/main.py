import torch

from graphs import two_blocks
from nodes import GCN, NodeClassifier

torch.manual_seed(6)
graph = two_blocks()
NodeClassifier(GCN(10, 16, 2)).fit(graph, epochs=30)
