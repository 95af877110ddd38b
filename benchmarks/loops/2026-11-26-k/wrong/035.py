import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    acc = Accelerator(cpu=True, gradient_accumulation_steps=3)
    torch.manual_seed(26)
    pos = torch.rand(150, 2)
    height = (pos[:, :1] * 9).sin() + (pos[:, 1:] * 7).cos()
    loader = DataLoader(TensorDataset(pos, height), batch_size=15, shuffle=True)
    field = nn.Sequential(nn.Linear(2, 48), nn.SiLU(), nn.Linear(48, 48), nn.SiLU(), nn.Linear(48, 1))
    opt = torch.optim.AdamW(field.parameters(), lr=4e-3)
    sched = torch.optim.lr_scheduler.ConstantLR(opt, factor=0.5, total_iters=4)
    field, opt, loader, sched = acc.prepare(field, opt, loader, sched)

    for epoch in range(4):
        field.train()
        for p, h in loader:
            with acc.accumulate(field):
                out = field(p)
                loss = nn.functional.mse_loss(out, h)
                acc.backward(loss)
                acc.clip_grad_norm_(field.parameters(), 0.05)
                opt.step()
                sched.step()
                opt.zero_grad()
        acc.print(f"epoch {epoch} loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
