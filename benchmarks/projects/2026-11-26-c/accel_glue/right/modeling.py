import torch
from torch import nn


class PairClassifier(nn.Module):
    def __init__(self, vocab=32, dim=16, num_labels=2):
        super().__init__()
        self.embeddings = nn.EmbeddingBag(vocab, dim)
        self.norm = nn.LayerNorm(4 * dim)
        self.dropout = nn.Dropout(0.1)
        self.classifier = nn.Sequential(nn.Linear(4 * dim, 32), nn.GELU(), nn.Linear(32, num_labels))

    def forward(self, first, second, labels=None):
        a, b = self.embeddings(first), self.embeddings(second)
        features = self.norm(torch.cat([a, b, (a - b).abs(), a * b], dim=-1))
        logits = self.classifier(self.dropout(features))
        out = {"logits": logits}
        if labels is not None:
            out["loss"] = nn.functional.cross_entropy(logits, labels)
        return out
