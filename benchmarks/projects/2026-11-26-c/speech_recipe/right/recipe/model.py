import torch.nn as nn


class Encoder(nn.Module):
    def __init__(self, n_mels, hidden):
        super().__init__()
        self.norm = nn.LayerNorm(n_mels)
        self.rnn = nn.GRU(n_mels, hidden, batch_first=True)
        self.drop = nn.Dropout(0.1)

    def forward(self, feats):
        out, _ = self.rnn(self.norm(feats))
        return self.drop(out.mean(1))
