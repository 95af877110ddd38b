import torch
from torch import nn, optim


class FrameClassifier:
    def __init__(self, n_mels=13, phones=6, accumulation=3):
        self.net = nn.Sequential(nn.Conv1d(n_mels, 16, 5, padding=2), nn.ReLU(), nn.Conv1d(16, phones, 1))
        self.optimizer = optim.Adam(self.net.parameters(), lr=1e-3)
        self.accumulation = accumulation

    def forward_backward(self, mels, phones):
        self.optimizer.zero_grad()
        logits = self.net(mels)
        loss = nn.functional.cross_entropy(logits, phones)
        (loss / self.accumulation).backward()
        return loss.item()

    def fit(self, utterances, epochs):
        for epoch in range(epochs):
            losses = []
            for n, (mels, phones) in enumerate(utterances, 1):
                losses.append(self.forward_backward(mels, phones))
                if n % self.accumulation == 0 or n == len(utterances):
                    self.optimizer.step()
            print(f"[{epoch}] {sum(losses) / len(losses):.3f}")


torch.manual_seed(4)
utts = [(torch.randn(2, 13, 20), torch.randint(0, 6, (2, 20))) for _ in range(9)]
FrameClassifier().fit(utts, epochs=3)
