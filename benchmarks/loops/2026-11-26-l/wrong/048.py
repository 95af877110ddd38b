import torch
import torch.nn as nn

USE_CUDA = torch.cuda.is_available()
device = "cuda" if USE_CUDA else "cpu"


def grad_norm(model, optimizer, scaler):
    scaler.unscale_(optimizer)
    return torch.stack([p.grad.norm() for p in model.parameters() if p.grad is not None]).norm().item()


def main(epochs=2):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 3)).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    scaler = torch.amp.GradScaler(device, enabled=USE_CUDA)
    batches = [(torch.randn(16, 8, device=device), torch.randint(0, 3, (16,), device=device)) for _ in range(5)]
    for epoch in range(epochs):
        for x, y in batches:
            optimizer.zero_grad()
            with torch.autocast(device, dtype=torch.float16, enabled=USE_CUDA):
                loss = nn.functional.cross_entropy(model(x), y)
            scaler.scale(loss).backward()
            before = grad_norm(model, optimizer, scaler)
            scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            scaler.step(optimizer)
            scaler.update()
        print(epoch, loss.item(), before)


main()
