import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(8, 24)
        self.b = nn.Linear(24, 1)

    def forward(self, x):
        return self.b(torch.relu(self.a(x))).squeeze(-1)


def fit(model, batches, device, limit=0.7):
    optim = torch.optim.AdamW(model.parameters(), lr=2e-3)
    scaler = torch.amp.GradScaler(device)
    for x, y in batches:
        optim.zero_grad()
        with torch.autocast(device, dtype=torch.float16, enabled=device == "cuda"):
            loss = (model(x) - y).pow(2).mean()
        scaler.scale(loss).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), limit)
        scaler.step(optim)
        scaler.update()
    return loss.item()


if __name__ == "__main__":
    torch.manual_seed(2)
    d = "cuda" if torch.cuda.is_available() else "cpu"
    xs = [torch.randn(12, 8, device=d) for _ in range(15)]
    print(fit(Net().to(d), [(x, x[:, 0]) for x in xs], d))
