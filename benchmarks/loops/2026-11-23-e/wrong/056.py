import torch
import torch.nn as nn
import torch.nn.functional as F


class SpeakerNet(nn.Module):
    def __init__(self, feat=12, emb=16, speakers=6):
        super().__init__()
        self.frame = nn.Sequential(nn.Linear(feat, 24), nn.ReLU())
        self.emb = nn.Linear(48, emb)
        self.cls = nn.Linear(emb, speakers)

    def forward(self, frames):
        h = self.frame(frames)
        stats = torch.cat([h.mean(1), h.std(1)], -1)
        return self.cls(F.relu(self.emb(stats)))


class Learner:
    def __init__(self, accum=2, epochs=2, n_batches=20):
        self.accum, self.epochs, self.n_batches = accum, epochs, n_batches
        self.centers = torch.randn(6, 12)
        self.net = SpeakerNet()
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.05, momentum=0.9)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(
            self.opt, T_max=epochs * n_batches // accum
        )

    def batch(self, bs=10):
        who = torch.randint(0, 6, (bs,))
        return self.centers[who][:, None] + torch.randn(bs, 15, 12), who

    def on_batch(self, k):
        frames, who = self.batch()
        loss = F.cross_entropy(self.net(frames), who)
        (loss / self.accum).backward()
        if k % self.accum == self.accum - 1:
            self.apply()
        self.sched.step()
        return loss.item()

    def apply(self):
        self.opt.step()
        nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self.opt.zero_grad()

    def fit(self):
        for e in range(self.epochs):
            self.net.train()
            mean = sum(self.on_batch(k) for k in range(self.n_batches)) / self.n_batches
            print("epoch", e, "loss", round(mean, 3), "lr", self.sched.get_last_lr()[0])


torch.manual_seed(0)
Learner().fit()
