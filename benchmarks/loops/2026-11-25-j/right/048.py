import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(148)
data = TensorDataset(torch.rand(65, 2, 12), torch.randint(0, 3, (65,)))
loader = DataLoader(data, batch_size=5, shuffle=True)
tcn = nn.Sequential(nn.Conv1d(2, 8, 3, dilation=2), nn.PReLU(), nn.AdaptiveMaxPool1d(1), nn.Flatten(), nn.Linear(8, 3))
opt = torch.optim.SGD(tcn.parameters(), lr=0.05, momentum=0.9, nesterov=True)


def average_and_step(count):
    torch._foreach_div_([p.grad for p in tcn.parameters()], count)
    nn.utils.clip_grad_norm_(tcn.parameters(), 2.0)
    opt.step()
    opt.zero_grad()


for epoch in range(2):
    in_window, losses = 0, []
    for x, y in loader:
        loss = nn.functional.cross_entropy(tcn(x), y)
        loss.backward()
        losses.append(loss.item())
        in_window += 1
        if in_window == 4:
            average_and_step(in_window)
            in_window = 0
    if in_window > 0:
        average_and_step(in_window)
    print(f"epoch {epoch} loss {sum(losses) / len(losses):.4f}")
