import argparse

import torch
import torch.nn as nn


class TinyCTC(nn.Module):
    def __init__(self, n_mels=20, hidden=24, n_tokens=11):
        super().__init__()
        self.subsample = nn.Conv1d(n_mels, hidden, 3, stride=2, padding=1)
        self.encoder = nn.LSTM(hidden, hidden, batch_first=True, bidirectional=True)
        self.proj = nn.Linear(2 * hidden, n_tokens)

    def forward(self, mel):
        h = self.subsample(mel).relu().transpose(1, 2)
        h, _ = self.encoder(h)
        return self.proj(h).log_softmax(-1)


class FakeSpeech(torch.utils.data.Dataset):
    def __init__(self, n):
        g = torch.Generator().manual_seed(3)
        self.mels = torch.randn(n, 20, 40, generator=g)
        self.labels = torch.randint(1, 11, (n, 6), generator=g)

    def __len__(self):
        return len(self.mels)

    def __getitem__(self, k):
        return self.mels[k], self.labels[k]


class SpeechTrainer:
    def __init__(self, model, loader, lr, virtual_batch):
        self.model, self.loader = model, loader
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        self.ctc = nn.CTCLoss(zero_infinity=True)
        self.virtual_batch = virtual_batch

    def loss_on(self, mel, label):
        logp = self.model(mel).transpose(0, 1)
        in_len = torch.full((mel.size(0),), logp.size(0))
        out_len = torch.full((mel.size(0),), label.size(1))
        return self.ctc(logp, label, in_len, out_len)

    def fit(self, epochs):
        self.optimizer.zero_grad()
        for ep in range(1, epochs + 1):
            self.model.train()
            acc = 0.0
            for n, (mel, label) in enumerate(self.loader, start=1):
                loss = self.loss_on(mel, label)
                acc += loss.item()
                (loss / self.virtual_batch).backward()
                if n % self.virtual_batch == 0:
                    nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
                    self.optimizer.step()
                    self.optimizer.zero_grad()
            print(f"epoch {ep}: ctc {acc / n:.3f}")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=3)
    ap.add_argument("--lr", type=float, default=1e-3)
    ap.add_argument("--virtual-batch", type=int, default=4)
    a = ap.parse_args()
    torch.manual_seed(0)
    loader = torch.utils.data.DataLoader(FakeSpeech(60), batch_size=6, shuffle=True)
    SpeechTrainer(TinyCTC(), loader, a.lr, a.virtual_batch).fit(a.epochs)


if __name__ == "__main__":
    main()
