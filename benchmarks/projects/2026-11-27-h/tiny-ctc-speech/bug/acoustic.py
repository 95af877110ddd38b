from torch import nn


class Acoustic(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.rnn = nn.GRU(cfg.mels, cfg.hidden, batch_first=True)
        self.drop = nn.Dropout(0.1)
        self.out = nn.Linear(cfg.hidden, cfg.tokens)

    def forward(self, audio):
        states, _ = self.rnn(audio)
        return self.out(self.drop(states)).log_softmax(-1)
