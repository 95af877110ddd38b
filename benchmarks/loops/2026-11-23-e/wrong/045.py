import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class CRNN(nn.Module):
    def __init__(self, classes=5):
        super().__init__()
        self.cnn = nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d((2, 1)))
        self.rnn = nn.GRU(8 * 4, 16, bidirectional=True, batch_first=True)
        self.fc = nn.Linear(32, classes)

    def forward(self, x):
        h = self.cnn(x)
        h = h.permute(0, 3, 1, 2).flatten(2)
        out, _ = self.rnn(h)
        return self.fc(out[:, -1])


class AmpTrainer:
    def __init__(self, model, device, accum=3, clip_value=0.1):
        self.model, self.device = model.to(device), device
        self.accum, self.clip_value = accum, clip_value
        self.opt = torch.optim.SGD(model.parameters(), lr=0.1)
        self.scaler = torch.amp.GradScaler(device)
        self.loss_fn = nn.CrossEntropyLoss()

    def epoch(self, loader):
        self.model.train()
        total = 0.0
        for i, (x, y) in enumerate(loader):
            x, y = x.to(self.device), y.to(self.device)
            with torch.autocast(self.device, dtype=torch.float16):
                loss = self.loss_fn(self.model(x), y) / self.accum
            self.scaler.scale(loss).backward()
            total += loss.item() * self.accum

            if (i + 1) % self.accum == 0:
                nn.utils.clip_grad_value_(self.model.parameters(), self.clip_value)
                self.scaler.step(self.opt)
                self.scaler.update()
                self.opt.zero_grad()
        return total / len(loader)


def main():
    torch.manual_seed(0)
    y = torch.randint(0, 5, (112,))
    x = torch.randn(112, 1, 8, 10) + y.view(-1, 1, 1, 1)
    loader = DataLoader(TensorDataset(x, y), batch_size=8, shuffle=True)
    trainer = AmpTrainer(CRNN(), "cuda" if torch.cuda.is_available() else "cpu")
    for epoch in range(2):
        print(epoch, trainer.epoch(loader))


if __name__ == "__main__":
    main()
