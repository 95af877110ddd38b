import torch
from torch import nn
from torch.amp import GradScaler, autocast
from torch.utils.data import DataLoader, TensorDataset


class SpeechLSTM(nn.Module):
    def __init__(self, n_mels=80, hidden=512, n_classes=35):
        super().__init__()
        self.rnn = nn.LSTM(n_mels, hidden, num_layers=3, batch_first=True, dropout=0.2)
        self.out = nn.Linear(hidden, n_classes)

    def forward(self, x):
        h, _ = self.rnn(x)
        return self.out(h.mean(dim=1))


def clamp_gradients(model, limit):
    handles = []
    for name, p in model.named_parameters():
        if name.startswith("rnn"):
            handles.append(p.register_hook(lambda g: g.clamp(-limit, limit)))
    return handles


def fit(features, labels, epochs=30, limit=0.25):
    loader = DataLoader(TensorDataset(features, labels), batch_size=64, shuffle=True, drop_last=True)
    model = SpeechLSTM().cuda()
    handles = clamp_gradients(model, limit)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=10, gamma=0.1)
    scaler = GradScaler("cuda")
    loss_fn = nn.CrossEntropyLoss()
    for epoch in range(epochs):
        correct = total = 0
        for x, y in loader:
            x, y = x.cuda(), y.cuda()
            with autocast("cuda", dtype=torch.float16):
                logits = model(x)
                loss = loss_fn(logits, y)
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()
            correct += (logits.argmax(1) == y).sum().item()
            total += y.numel()
        scheduler.step()
        print(f"{epoch:03d} train acc {correct / total:.3f} lr {scheduler.get_last_lr()[0]:.4g}")
    for handle in handles:
        handle.remove()
    return model
