import torch.nn as nn


class Head(nn.Module):
    def __init__(self, n_in, n_out, hidden=24):
        super().__init__()
        self.embed = nn.Linear(n_in, hidden)
        self.embed.weight.requires_grad_(False)
        self.out = nn.Linear(hidden, n_out)

    def forward(self, obs):
        return self.out(self.embed(obs).tanh())

    def trainable(self):
        return [p for p in self.parameters() if p.requires_grad]
