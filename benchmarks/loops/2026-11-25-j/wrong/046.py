import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class SpeechTrainer:
    """Frame classifier on random features, mixed precision with accumulation."""

    def __init__(self, every=5):
        self.net = nn.Sequential(nn.Linear(13, 32), nn.ReLU(), nn.Linear(32, 6))
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=256.0)
        self.every = every

    def forward_backward(self, frames, phones):
        with torch.autocast("cpu", dtype=torch.float16):
            logits = self.net(frames)
        loss = nn.functional.cross_entropy(logits.float(), phones)
        self.scaler.scale(loss / self.every).backward()
        return loss.item()

    def apply(self):
        self.scaler.step(self.opt)
        self.scaler.update()
        self.opt.zero_grad()

    def run(self, loader, epochs):
        for epoch in range(epochs):
            micro, losses = 0, []
            for frames, phones in loader:
                losses.append(self.forward_backward(frames, phones))
                micro += 1
                if micro == self.every:
                    self.apply()
                    micro = 0
            print(epoch, sum(losses) / len(losses))


torch.manual_seed(46)
frames = DataLoader(TensorDataset(torch.randn(72, 13), torch.randint(0, 6, (72,))), batch_size=6)
SpeechTrainer().run(frames, epochs=2)
