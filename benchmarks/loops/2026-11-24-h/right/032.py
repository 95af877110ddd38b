import torch
import torch.nn as nn

device = "cuda" if torch.cuda.is_available() else "cpu"


def limit_(params, limit, inv_scale):
    """Global-norm limit for gradients that carry a factor of 1 / inv_scale."""
    grads = [p.grad for p in params if p.grad is not None]
    total = torch.linalg.vector_norm(torch.stack([g.float().norm() for g in grads])) * inv_scale
    coef = torch.clamp(limit / (total + 1e-6), max=1.0)
    torch._foreach_mul_(grads, [coef] * len(grads))
    return total.item()


class Mel2Phone(nn.Module):
    def __init__(self, mel=16, phones=10):
        super().__init__()
        self.conv = nn.Conv1d(mel, 24, 3, padding=1)
        self.head = nn.Conv1d(24, phones, 1)

    def forward(self, m):
        return self.head(torch.relu(self.conv(m)))


def main(rounds=30, limit=0.7):
    torch.manual_seed(0)
    net = Mel2Phone().to(device)
    params = list(net.parameters())
    opt = torch.optim.SGD(params, lr=0.2, momentum=0.8)
    scaler = torch.amp.GradScaler(device, init_scale=512.0)
    ce = nn.CrossEntropyLoss()
    for r in range(rounds):
        mel = torch.randn(8, 16, 25, device=device)
        phone = mel[:, :10].argmax(1)
        opt.zero_grad()
        with torch.autocast(device, dtype=torch.float16):
            logits = net(mel)
        loss = ce(logits.float(), phone)
        scaler.scale(loss).backward()
        norm = limit_(params, limit, 1.0 / scaler.get_scale())
        scaler.step(opt)
        scaler.update()
        if r % 10 == 9:
            print(f"{r + 1:3d} loss {loss.item():.3f} norm {norm:.3f}")


if __name__ == "__main__":
    main()
