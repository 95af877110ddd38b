import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def endless(loader):
    while True:
        yield from loader


torch.manual_seed(124)
loader = DataLoader(TensorDataset(torch.randn(50, 4, 4)), batch_size=5, shuffle=True)
stream = endless(loader)
net = nn.Sequential(nn.Flatten(), nn.Linear(16, 8), nn.ReLU(), nn.Linear(8, 16))
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=8)
micro_per_update, max_updates = 4, 8
done, micro = 0, 0
while done < max_updates:
    (board,) = next(stream)
    micro += 1
    loss = nn.functional.mse_loss(net(board), board.flatten(1))
    (loss / micro_per_update).backward()
    if micro % micro_per_update:
        continue
    opt.step()
    sched.step()
    opt.zero_grad(set_to_none=True)
    done += 1
    print(f"update {done} lr {sched.get_last_lr()[0]:.6f} loss {loss.item():.4f}")
