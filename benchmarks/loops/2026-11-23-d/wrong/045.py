import torch
import torch.nn.functional as F
from data import build_loader
from models import Net


class AmpTrainer:
    def __init__(self, epochs):
        self.epochs = epochs
        self.model = Net().cuda()
        self.optim = torch.optim.Adam(self.model.parameters(), lr=1e-3)
        self.scaler = torch.cuda.amp.GradScaler(init_scale=2.0**10)
        self.loader = build_loader("train")

    def step(self, x, y):
        self.optim.zero_grad()
        with torch.cuda.amp.autocast():
            loss = F.cross_entropy(self.model(x.cuda()), y.cuda())
        self.scaler.scale(loss).backward()
        self.scaler.step(self.optim)
        return loss.item()

    def run(self):
        for epoch in range(self.epochs):
            losses = [self.step(x, y) for x, y in self.loader]
            self.scaler.update()
            print(epoch, sum(losses) / len(losses))


AmpTrainer(epochs=2).run()
