from torch import nn


class Autoencoder(nn.Module):
    def __init__(self, dim=24, code=6):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(dim, 48), nn.Tanh(), nn.Linear(48, code))
        self.decoder = nn.Sequential(nn.Linear(code, 48), nn.Tanh(), nn.Linear(48, dim))

    def forward(self, x):
        return self.decoder(self.encoder(x))


class Regressor(nn.Module):
    def __init__(self, encoder, code=6):
        super().__init__()
        self.encoder = encoder
        self.head = nn.Linear(code, 1)

    def forward(self, x):
        return self.head(self.encoder(x)).squeeze(-1)
