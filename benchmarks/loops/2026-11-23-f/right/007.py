import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.norm = nn.LayerNorm(d)
        self.ff = nn.Sequential(nn.Linear(d, 2 * d), nn.GELU(), nn.Linear(2 * d, d))

    def forward(self, x):
        return x + self.ff(self.norm(x))


def run(precision="bf16", steps=12):
    dtype = {"bf16": torch.bfloat16, "fp32": torch.float32}[precision]
    amp = torch.autocast("cpu", dtype=dtype, enabled=precision != "fp32")
    net = nn.Sequential(Block(8), Block(8), nn.Linear(8, 1))
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3, fused=True)
    for step in range(steps):
        x = torch.randn(20, 8)
        opt.zero_grad(set_to_none=True)
        with amp:
            out = net(x)
            loss = nn.functional.huber_loss(out.float(), x.sum(1, keepdim=True))
        loss.backward()
        norm = nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        if step % 4 == 0:
            print(step, round(loss.item(), 4), round(norm.item(), 4))


if __name__ == "__main__":
    run()
