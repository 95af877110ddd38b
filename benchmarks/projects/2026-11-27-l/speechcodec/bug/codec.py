from torch import nn


class Encoder(nn.Module):
    def __init__(self, frame, code):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(frame, 48), nn.GELU(), nn.Linear(48, code))

    def forward(self, frames):
        return self.net(frames)


class Decoder(nn.Module):
    def __init__(self, frame, code):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(code, 48), nn.GELU(), nn.Linear(48, frame))

    def forward(self, codes):
        return self.net(codes)
