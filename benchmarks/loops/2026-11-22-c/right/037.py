import torch


def gap(generator, critic, real, z):
    return critic(real).mean() - critic(generator(z)).mean()


class ExtraGradient:
    def __init__(self, parameters, lr):
        self.parameters = list(parameters)
        self.optimizer = torch.optim.SGD(self.parameters, lr=lr)
        self.saved = None

    def extrapolate(self):
        self.saved = [p.detach().clone() for p in self.parameters]
        self.optimizer.step()

    def step(self):
        with torch.no_grad():
            for p, old in zip(self.parameters, self.saved):
                p.copy_(old)
        self.optimizer.step()

    def zero_grad(self):
        self.optimizer.zero_grad()


def train(generator, critic, data, steps=5000, latent=32, lr=0.01, penalty=1e-2):
    players = ExtraGradient([*generator.parameters(), *critic.parameters()], lr)

    def gradients(real):
        z = torch.randn(real.size(0), latent)
        players.zero_grad()
        value = gap(generator, critic, real, z)
        decay = sum(p.pow(2).sum() for p in critic.parameters())
        (penalty * decay - value).backward()
        for p in generator.parameters():
            p.grad.neg_()
        return value.item()

    for step in range(steps):
        real = next(data)
        gradients(real)
        players.extrapolate()
        value = gradients(real)
        players.step()
        if step % 100 == 0:
            print(step, f"{value:.4f}")
