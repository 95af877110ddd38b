import torch
import torch.nn as nn

dev = "cuda" if torch.cuda.is_available() else "cpu"
MAX_NORM = 0.5


def synthetic(n_batches, bs=16):
    for _ in range(n_batches):
        x = torch.randn(bs, 1, 12)
        yield x.to(dev), x.flatten(1).abs().amax(1).to(dev)


class Peak(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(1, 8, 3, padding=1)
        self.fc = nn.Linear(8, 1)

    def forward(self, x):
        return self.fc(self.conv(x).relu().amax(-1)).squeeze(-1)


def train(net, epochs=2):
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    scaler = torch.amp.GradScaler(dev, init_scale=2.0**8)
    for epoch in range(epochs):
        net.train()
        seen = 0.0
        for x, target in synthetic(10):
            opt.zero_grad()
            with torch.autocast(dev, dtype=torch.float16):
                pred = net(x)
            loss = nn.functional.huber_loss(pred.float(), target)
            scaler.scale(loss).backward()
            nn.utils.clip_grad_norm_(net.parameters(), MAX_NORM * scaler.get_scale())
            scaler.step(opt)
            scaler.update()
            seen += loss.item()
        print("epoch", epoch, "huber", seen / 10)


torch.manual_seed(0)
train(Peak().to(dev))
