from torch import nn


class Upsampler(nn.Module):
    def __init__(self, n_mels=10, width=24):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv1d(n_mels, width, 3, padding=1),
            nn.LeakyReLU(0.1),
            nn.ConvTranspose1d(width, width, 4, stride=2, padding=1),
            nn.LeakyReLU(0.1),
            nn.ConvTranspose1d(width, 1, 4, stride=2, padding=1),
            nn.Tanh(),
        )

    def forward(self, mel):
        return self.net(mel)


class Discriminator(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv1d(1, width, 9, stride=4, padding=4),
            nn.LeakyReLU(0.1),
            nn.Conv1d(width, 1, 3, padding=1),
        )

    def forward(self, wave):
        return self.net(wave)
