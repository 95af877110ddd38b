from torch import nn


class MelodyNet(nn.Module):
    def __init__(self, notes=24, width=20):
        super().__init__()
        self.embed = nn.Embedding(notes, width)
        self.gru = nn.GRU(width, width, batch_first=True)
        self.drop = nn.Dropout(0.15)
        self.head = nn.Linear(width, notes)

    def forward(self, notes):
        states, _ = self.gru(self.embed(notes))
        return self.head(self.drop(states))
