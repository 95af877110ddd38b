from torch import nn


class TimeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.stack = nn.Sequential(nn.Linear(8, 24), nn.Mish(), nn.Linear(24, 1))

    def forward(self, board):
        return self.stack(board)
