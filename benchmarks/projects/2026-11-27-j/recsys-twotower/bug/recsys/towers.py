import torch
from torch import Tensor, nn


class TwoTower(nn.Module):
    def __init__(self, users: int, items: int, opts: dict) -> None:
        super().__init__()
        dim = opts["dim"]
        self.user = nn.Embedding(users, dim)
        self.item = nn.Embedding(items, dim)
        self.item_bias = nn.Parameter(torch.zeros(items))
        if opts.get("freeze_item_bias"):
            self.item_bias.requires_grad_(False)

    def forward(self, user: Tensor) -> Tensor:
        return self.user(user) @ self.item.weight.t() / 4 + self.item_bias
