import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Acoustic(nn.Module):
    def __init__(self, features, symbols, hidden=24):
        super().__init__()
        self.rnn = nn.GRU(features, hidden, batch_first=True, bidirectional=True)
        self.head = nn.Linear(2 * hidden, symbols)

    def forward(self, wave):
        return self.head(self.rnn(wave)[0]).log_softmax(-1)


class CTC(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.CTCLoss(zero_infinity=True)

    def forward(self, logp, text):
        n, t, _ = logp.shape
        return self.inner(
            logp.transpose(0, 1), text, torch.full((n,), t), torch.full((n,), text.shape[1])
        )


def digits(samples, features, symbols, batch):
    g = torch.Generator().manual_seed(3)
    text = torch.randint(1, symbols, (samples, 4), generator=g)
    wave = torch.randn(samples, 20, features, generator=g)
    wave[:, ::5, 0] += text.float()
    return DataLoader(TensorDataset(wave, text), batch_size=batch, shuffle=True)
