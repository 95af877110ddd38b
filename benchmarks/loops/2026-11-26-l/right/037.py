import torch
import torch.nn.functional as F

torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(7, 21), torch.nn.ReLU(), torch.nn.Linear(21, 5))
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
data = torch.randn(150, 7)
labels = data.abs().argmax(1) % 5
MICRO = 12

for epoch in range(3):
    for idx in torch.randperm(150).split(50):
        xb, yb = data[idx], labels[idx]
        opt.zero_grad()
        batch_loss = 0.0
        for xs, ys in zip(xb.split(MICRO), yb.split(MICRO)):
            part = F.cross_entropy(net(xs), ys) * (len(xs) / len(xb))
            part.backward()
            batch_loss += part.item()
        opt.step()
    print(epoch, batch_loss)
