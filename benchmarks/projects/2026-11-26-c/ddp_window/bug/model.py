import torch
import torch.nn as nn


class SequenceNet(nn.Module):
    def __init__(self, dim=6, hidden=24, classes=2):
        super().__init__()
        self.rnn = nn.GRU(dim, hidden, batch_first=True)
        self.drop = nn.Dropout(0.1)
        self.recon = nn.Linear(hidden, dim)
        self.cls = nn.Linear(hidden, classes)
        self.task = "recon"

    def set_task(self, task):
        self.task = task
        for p in self.recon.parameters():
            p.requires_grad_(task == "recon")
        for p in self.cls.parameters():
            p.requires_grad_(task == "cls")
        return self

    def forward(self, x):
        h, _ = self.rnn(x)
        h = self.drop(h)
        return self.recon(h) if self.task == "recon" else self.cls(h[:, -1])


def trainable(model):
    return [p for p in model.parameters() if p.requires_grad]


def save(model, path):
    torch.save(model.module.state_dict(), path)
