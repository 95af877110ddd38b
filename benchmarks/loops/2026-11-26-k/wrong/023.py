import torch
import torch.nn.functional as F

UPDATES = 20
MICRO = 3

torch.manual_seed(99)
w_true = torch.randn(7, 3)
model = torch.nn.Linear(7, 3)
opt = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
cycle = torch.optim.lr_scheduler.CyclicLR(opt, base_lr=0.005, max_lr=0.1, step_size_up=UPDATES // 2)


def draw(n=16):
    x = torch.randn(n, 7)
    return x, (x @ w_true).argmax(1)


history = []
for update in range(UPDATES):
    opt.zero_grad()
    window_loss = 0.0
    for _ in range(MICRO):
        x, y = draw()
        loss = F.cross_entropy(model(x), y) / MICRO
        loss.backward()
        cycle.step()
        window_loss += loss.item()
    opt.step()
    history.append(window_loss)
print(history[0], "->", history[-1], "lr", cycle.get_last_lr())
