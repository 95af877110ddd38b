"""Voices join a choir one after the other; a view always walks those that sing."""
import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils import clip_grad_norm_


class Singing:
    def __init__(self, choir):
        self.choir = choir

    def __iter__(self):
        return (p for p in self.choir.parameters() if p.requires_grad)


class Choir(nn.Module):
    def __init__(self, voices):
        super().__init__()
        self.voices = nn.ModuleList(nn.Linear(3, 1) for _ in range(voices))
        for voice in self.voices[1:]:
            voice.requires_grad_(False)

    def forward(self, score):
        return sum(voice(score) for voice in self.voices)


def train(record):
    torch.manual_seed(15)
    choir = Choir(4)
    params = Singing(choir)
    optimizer = torch.optim.SGD(params, lr=0.2, momentum=0.5)
    for bar in range(24):
        if bar and bar % 6 == 0:
            joining = choir.voices[bar // 6].requires_grad_(True)
            optimizer.add_param_group({"params": list(joining.parameters()), "lr": 0.05})
        score = 4 * torch.randn(9, 3)
        optimizer.zero_grad()
        F.l1_loss(choir(score), score.sum(1, keepdim=True)).backward()
        clip_grad_norm_(params, 0.5)
        optimizer.step()
        record(list(choir.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
