import torch
from torch import nn

USE_AMP = torch.cuda.is_available()
DEV = "cuda" if USE_AMP else "cpu"


def grad_norm(model, optimizer, scaler):
    """Norm of the true gradients, for the log."""
    scaler.unscale_(optimizer)
    norms = [p.grad.norm() for p in model.parameters() if p.grad is not None]
    return torch.stack(norms).norm().item()


class Speech(nn.Module):
    def __init__(self, mel=10, classes=6):
        super().__init__()
        self.conv = nn.Conv1d(mel, 16, 5, stride=2)
        self.rnn = nn.GRU(16, 16, batch_first=True)
        self.fc = nn.Linear(16, classes)

    def forward(self, spec):
        h = torch.relu(self.conv(spec)).transpose(1, 2)
        _, last = self.rnn(h)
        return self.fc(last[0])


def main():
    torch.manual_seed(0)
    model = Speech().to(DEV)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    scaler = torch.amp.GradScaler(DEV, enabled=USE_AMP)
    criterion = nn.CrossEntropyLoss(label_smoothing=0.1)

    for it in range(20):
        spec = torch.randn(8, 10, 30, device=DEV)
        label = torch.randint(0, 6, (8,), device=DEV)

        optimizer.zero_grad(set_to_none=True)
        with torch.autocast(DEV, dtype=torch.float16, enabled=USE_AMP):
            loss = criterion(model(spec), label)
        scaler.scale(loss).backward()

        norm = grad_norm(model, optimizer, scaler)
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(model.parameters(), 2.0)
        scaler.step(optimizer)
        scaler.update()

        if it % 5 == 0:
            print(f"it {it} loss {loss.item():.3f} |g| {norm:.3f}")


if __name__ == "__main__":
    main()
