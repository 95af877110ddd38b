import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Verse(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.lstm = nn.LSTM(dim, dim, batch_first=True)
        self.head = nn.Linear(dim, vocab)

    def forward(self, ids):
        return self.head(self.lstm(self.emb(ids))[0])


def _clip(cfg):
    def hook(model):
        nn.utils.clip_grad_norm_(model.parameters(), cfg["clip"])

    return hook


def _norms(cfg):
    def hook(model):
        total = sum(p.grad.pow(2).sum() for p in model.parameters() if p.grad is not None)
        assert torch.isfinite(total), "gradient overflow"

    return hook


HOOKS = {"clip": _clip, "norms": _norms}


def build(cfg):
    torch.manual_seed(cfg["seed"])
    model = DDP(Verse(**cfg["model"]))
    kw = dict(cfg["optimizer"])
    optimizer = getattr(torch.optim, kw.pop("name"))(model.parameters(), **kw)
    hooks = {place: [HOOKS[name](cfg) for name in names] for place, names in cfg["hooks"].items()}
    return model, optimizer, hooks
