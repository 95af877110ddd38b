import torch
from accelerate import Accelerator
from torch import nn


def main(accum=4):
    torch.manual_seed(101)
    accelerator = Accelerator(cpu=True, gradient_accumulation_steps=accum)
    net = nn.Sequential(nn.Linear(3, 6), nn.ReLU(), nn.Linear(6, 1))
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
    data = torch.utils.data.DataLoader(torch.randn(32, 4), batch_size=2)
    net, optimizer, data = accelerator.prepare(net, optimizer, data)
    for rows in data:
        with accelerator.accumulate(net):
            loss = (net(rows[:, :3]) - rows[:, 3:]).square().mean() / accum
            accelerator.backward(loss)
            optimizer.step()
            optimizer.zero_grad()
    return loss.item() * accum


print(main())
