import torch
from torch import Tensor, nn
from torch.nn import functional as F


class LoRALinear(nn.Module):
    def __init__(self, d_in: int, d_out: int, rank: int):
        super().__init__()
        self.base = nn.Linear(d_in, d_out)
        self.base.requires_grad_(False)
        self.A = nn.Parameter(torch.randn(rank, d_in) / d_in**0.5)
        self.B = nn.Parameter(torch.zeros(d_out, rank))

    def forward(self, x: Tensor) -> Tensor:
        return self.base(x) + 2.0 * (x @ self.A.t()) @ self.B.t()


class TinyLM(nn.Module):
    def __init__(self, vocab: int, dim: int, rank: int):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.embed.requires_grad_(False)
        self.mix = LoRALinear(2 * dim, dim, rank)
        self.head = LoRALinear(dim, vocab, rank)

    def forward(self, input_ids: Tensor, labels: Tensor):
        e = self.embed(input_ids)
        prev = F.pad(e, (0, 0, 1, 0))[:, :-1]
        logits = self.head(torch.tanh(self.mix(torch.cat([e, prev], -1))))
        return F.cross_entropy(logits.flatten(0, 1), labels.flatten())
