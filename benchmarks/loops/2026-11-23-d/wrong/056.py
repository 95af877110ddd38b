import torch
from torch import nn


class TwoHeads(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(10, 32), nn.ReLU())
        self.label = nn.Linear(32, 4)
        self.rotation = nn.Linear(32, 2)

    def forward(self, x):
        h = self.trunk(x)
        return self.label(h), self.rotation(h)


device = "cuda" if torch.cuda.is_available() else "cpu"
model = TwoHeads().to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
scaler = torch.amp.GradScaler(device)
ce = nn.CrossEntropyLoss()
for step in range(30):
    x = torch.randn(24, 10, device=device)
    y, r = x[:, :4].argmax(1), (x[:, 9] > 0).long()
    optimizer.zero_grad()
    with torch.autocast(device, dtype=torch.float16):
        label, rotation = model(x)
        main, aux = ce(label, y), 0.3 * ce(rotation, r)
    scaler.scale(main).backward(retain_graph=True)
    aux.backward()
    scaler.step(optimizer)
    scaler.update()
    if step % 10 == 0:
        print(step, main.item(), aux.item())
