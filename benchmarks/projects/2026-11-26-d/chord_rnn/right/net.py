import torch
from torch import nn


class ChordRNN(nn.Module):
    """A recurrent cell with a memory of its own."""

    def __init__(self, notes, hidden):
        super().__init__()
        self.inp = nn.Linear(notes, hidden)
        self.rec = nn.Linear(hidden, hidden)
        self.out = nn.Linear(hidden, notes)
        self.memory = None

    def forget(self):
        self.memory = None

    def forward(self, frames):
        outs = []
        h = self.memory if self.memory is not None else torch.zeros(frames.shape[0], self.rec.in_features)
        for t in range(frames.shape[1]):
            h = torch.tanh(self.inp(frames[:, t]) + self.rec(h))
            outs.append(self.out(h))
        self.memory = h.detach()
        return torch.stack(outs, dim=1)
