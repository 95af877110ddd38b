from torch import nn


class SeriesNet(nn.Module):
    def __init__(self, past=24, ahead=6, width=48):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(past, width), nn.GELU(), nn.Dropout(0.05), nn.Linear(width, width), nn.GELU())
        self.ahead = nn.Linear(width, ahead)
        self.back = nn.Linear(width, past)

    def forward(self, past):
        return self.ahead(self.body(past))

    def rebuild(self, past):
        return self.back(self.body(past))
