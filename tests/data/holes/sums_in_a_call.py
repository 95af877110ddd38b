# === what a function adds to its own parameter is gone with the call
import torch


class Game:
    def __init__(self, critic, maker, loader):
        self.critic, self.maker, self.loader = critic, maker, loader
        self.of_critic = torch.optim.Adam(critic.parameters())
        self.of_maker = torch.optim.Adam(maker.parameters())

    def critic_loss(self, x, made, spread):
        noise = torch.normal(mean=0.0, std=spread)
        x = x + noise
        made = made + noise
        return (self.critic(x) - self.critic(made.detach())).mean()

    def train(self):
        for _ in range(3):
            for x in self.loader:
                made = self.maker(torch.randn(4))
                loss = self.critic_loss(x, made, spread=1)
                self.of_critic.zero_grad()
                loss.backward()
                self.of_critic.step()
                self.of_maker.zero_grad()
                self.critic(made).mean().backward()
                self.of_maker.step()
# === a sum that is handed back grows
import torch


def added(total, loss):
    total = total + loss  # <- loss-graph-leak
    return total


def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    total = 0
    for x, y in loader:
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        total = added(total, loss)  # <- loss-graph-leak
    print(total / len(loader))
# === so does one in a loop of the function itself
import torch


def epoch(model, loader, optimizer, total):
    for x, y in loader:
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        total = total + loss  # <- loss-graph-leak
    print(total.item())


def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        epoch(model, loader, optimizer, 0)
# === and one that an object keeps
import torch


class Meter:
    def __init__(self):
        self.total = 0

    def note(self, total, loss):
        total = total + loss  # <- loss-graph-leak
        self.total = total


def train(model, loader):
    meter = Meter()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        meter.note(meter.total, loss)
# === noise that is added to the output of a network for a second look
import torch


def blurred(net, hidden, scale):
    hidden = hidden + scale * torch.randn_like(hidden)
    return net(hidden)


def train(encoder, head, loader):
    optimizer = torch.optim.SGD([*encoder.parameters(), *head.parameters()], lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(blurred(head, encoder(x), 0.1), y)
        loss.backward()
        optimizer.step()
# === a sum that is handed back under another name grows
import torch


def added(total, loss):
    total = total + loss  # <- loss-graph-leak
    result = total
    return result


def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    total = 0
    for x, y in loader:
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        total = added(total, loss)
    print(total / len(loader))
