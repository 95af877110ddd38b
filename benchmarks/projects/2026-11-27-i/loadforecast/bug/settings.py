import torch
from torch import nn

SEED = 17
EPOCHS = 4
HISTORY, HORIZON = 12, 3
ACCUM = 6
LOSS_WEIGHT = 1 / 4
MAX_NORM = 0.1

torch.manual_seed(SEED)


class Forecaster(nn.Module):
    def __init__(self, hidden=16):
        super().__init__()
        self.rnn = nn.GRU(1, hidden, batch_first=True)
        self.out = nn.Linear(hidden, HORIZON)

    def forward(self, past):
        return self.out(self.rnn(past.unsqueeze(-1))[0][:, -1])


model = Forecaster()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.7)
