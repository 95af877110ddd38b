import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def build():
    return nn.Sequential(nn.Flatten(), nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))


def train_epoch(model, loader, opt, scaler, max_norm=1.0):
    model.train()
    seen, correct = 0, 0
    for images, labels in loader:
        opt.zero_grad()
        with torch.autocast(device_type="cpu", dtype=torch.float16):
            logits = model(images)
            loss = nn.functional.cross_entropy(logits, labels)
        scaler.scale(loss).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=max_norm)
        scaler.step(opt)
        scaler.update()
        correct += (logits.argmax(-1) == labels).sum().item()
        seen += labels.numel()
    return correct / seen


def main():
    torch.manual_seed(11)
    digits = torch.rand(80, 1, 8, 8)
    targets = torch.randint(0, 10, (80,))
    loader = DataLoader(TensorDataset(digits, targets), batch_size=20, shuffle=True)
    model = build()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cpu")
    for epoch in range(3):
        print("epoch", epoch, "acc", train_epoch(model, loader, opt, scaler))


if __name__ == "__main__":
    main()
