from torch import nn


class AcousticModel(nn.Module):
    def __init__(self, n_mels, hidden, vocab):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Conv1d(n_mels, hidden, 5, padding=2),
            nn.ReLU(),
            nn.Dropout(0.1),
            nn.Conv1d(hidden, hidden, 5, padding=2),
            nn.ReLU(),
        )
        self.head = nn.Linear(hidden, vocab)

    def forward(self, feats):
        hidden = self.encoder(feats.transpose(1, 2))
        return self.head(hidden.transpose(1, 2))
