from torch.optim import Adam


class Duo:
    """The two optimizers of a game."""

    def __init__(self, gen, disc, lr=1e-3, betas=(0.5, 0.999)):
        self.gen = Adam(gen.parameters(), lr=lr, betas=betas)
        self.disc = Adam(disc.parameters(), lr=lr, betas=betas)

    def __iter__(self):
        yield self.gen
        yield self.disc

    def clear(self):
        for opt in self:
            opt.zero_grad()
