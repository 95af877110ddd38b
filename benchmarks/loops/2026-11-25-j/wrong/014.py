import torch
from torch import nn

torch.manual_seed(6)


class SharedTrunk(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(9, 18), nn.ReLU())
        self.age = nn.Linear(18, 1)
        self.sex = nn.Linear(18, 2)

    def forward(self, x):
        h = self.trunk(x)
        return self.age(h).squeeze(1), self.sex(h)


def compute_gradients(model, batch, weight):
    for p in model.parameters():
        p.grad = None
    x, age, sex = batch
    pred_age, pred_sex = model(x)
    loss = nn.functional.l1_loss(pred_age, age) + nn.functional.cross_entropy(pred_sex, sex)
    (loss * weight).backward()
    return loss.item()


def fit(model, batches, optimizer, micro=4):
    for start in range(0, len(batches), micro):
        window = batches[start : start + micro]
        losses = [
            compute_gradients(model, b, 1.0 / len(window))
            for b in window
        ]
        optimizer.step()
        print(f"window {start // micro}: {sum(losses) / len(losses):.3f}")


people = [(torch.randn(8, 9), torch.rand(8) * 3, torch.randint(0, 2, (8,))) for _ in range(14)]
model = SharedTrunk()
fit(model, people, torch.optim.Adam(model.parameters(), lr=1e-3))
