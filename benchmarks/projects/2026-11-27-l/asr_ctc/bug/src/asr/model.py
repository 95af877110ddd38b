import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

FEATS, VOCAB, FRAMES, LABELS = 10, 12, 24, 6


class Acoustic(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.net = nn.Sequential(nn.Linear(FEATS, 48), nn.ReLU(), nn.Linear(48, VOCAB))

    def forward(self, feats: torch.Tensor) -> torch.Tensor:
        return self.net(feats).float().log_softmax(-1)


def utterances(n: int, batch_size: int) -> DataLoader:
    table = torch.randn(VOCAB, FEATS)
    labels = torch.randint(1, VOCAB, (n, LABELS))
    feats = table[labels].repeat_interleave(FRAMES // LABELS, dim=1)
    feats = feats + 0.1 * torch.randn_like(feats)
    return DataLoader(TensorDataset(feats, labels), batch_size=batch_size, shuffle=True)
