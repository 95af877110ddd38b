import functools

import torch
from torch import nn

DEV = "cuda" if torch.cuda.is_available() else "cpu"
half = functools.partial(torch.autocast, device_type=DEV, dtype=torch.float16)


class Pointer(nn.Module):
    def __init__(self, d=16):
        super().__init__()
        self.emb = nn.Linear(2, d)
        self.q, self.k = nn.Linear(d, d), nn.Linear(d, d)

    @half()
    def forward(self, pts, query):
        h = torch.tanh(self.emb(pts))
        q = self.q(torch.tanh(self.emb(query)))
        return torch.einsum("bnd,bd->bn", self.k(h), q)


def loss_fn(model, pts, query, target):
    with half():
        scores = model(pts, query)
        loss = nn.functional.cross_entropy(scores, target)
    return loss


def nearest(n):
    pts, query = torch.rand(n, 7, 2), torch.rand(n, 2)
    return pts.to(DEV), query.to(DEV), (pts - query[:, None]).norm(dim=-1).argmin(1).to(DEV)


def update(model, optimizer, scaler, batch):
    loss = loss_fn(model, *batch)
    optimizer.zero_grad(set_to_none=True)
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    return loss.detach()


def main():
    torch.manual_seed(0)
    model = Pointer().to(DEV)
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
    scaler = torch.amp.GradScaler(DEV, init_scale=2.0 ** 10)
    smooth = torch.zeros((), device=DEV)
    for step in range(60):
        loss = update(model, optimizer, scaler, nearest(32))
        smooth = loss if step == 0 else 0.9 * smooth + 0.1 * loss
        if step % 15 == 0:
            print(step, round(smooth.item(), 4))


if __name__ == "__main__":
    main()
