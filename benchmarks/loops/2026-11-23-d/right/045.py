import torch
from data import build_loader
from models import Net

net = Net()
loader = build_loader("train")
sgd = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
cyclic = torch.optim.lr_scheduler.CyclicLR(sgd, base_lr=0.001, max_lr=0.1, step_size_up=2 * len(loader))
criterion = torch.nn.CrossEntropyLoss()
trace = []
for epoch in range(4):
    net.train()
    for x, y in loader:
        sgd.zero_grad()
        loss = criterion(net(x), y)
        loss.backward()
        sgd.step()
        cyclic.step()
        trace.append((cyclic.get_last_lr()[0], loss.item()))
    rate, value = trace[-1]
    print(f"epoch {epoch} lr {rate:.4f} loss {value:.3f}")
with open("trace.csv", "w") as out:
    out.writelines(f"{rate},{value}\n" for rate, value in trace)
