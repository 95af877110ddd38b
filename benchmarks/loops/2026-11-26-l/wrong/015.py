import torch
from torch.utils.data import DataLoader, TensorDataset


def build():
    torch.manual_seed(4)
    x = torch.linspace(-2, 2, 200).unsqueeze(1)
    ds = TensorDataset(x, torch.sin(3 * x))
    net = torch.nn.Sequential(torch.nn.Linear(1, 40), torch.nn.Tanh(), torch.nn.Linear(40, 1))
    return net, DataLoader(ds, batch_size=25, shuffle=True)


def run_epoch(net, loader, optimizer):
    net.train()
    optimizer.zero_grad()
    total = 0.0
    for xb, yb in loader:
        loss = torch.nn.functional.huber_loss(net(xb), yb)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimizer.step()
        total += loss.item()
    return total / len(loader)


net, loader = build()
optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=2)
for epoch in range(6):
    avg = run_epoch(net, loader, optimizer)
    scheduler.step(avg)
    print(epoch, avg, optimizer.param_groups[0]["lr"])
