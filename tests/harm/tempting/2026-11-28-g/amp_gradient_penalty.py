import torch
from torch import nn
from torch.amp import GradScaler

LAMBDA = 0.1


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(4, 12), nn.Linear(12, 1)

    def forward(self, x):
        return self.b(torch.tanh(self.a(x)))


def penalised(critic, scaler, x, y):
    loss = nn.functional.mse_loss(critic(x), y)
    scaled = torch.autograd.grad(scaler.scale(loss), list(critic.parameters()), create_graph=True)
    inverse = 1.0 / scaler.get_scale()
    true_grads = [g * inverse for g in scaled]
    length = sum(g.pow(2).sum() for g in true_grads).sqrt()
    return loss + LAMBDA * length


def finish(scaler, opt, critic, limit):
    scaler.unscale_(opt)
    norm = nn.utils.clip_grad_norm_(critic.parameters(), limit)
    scaler.step(opt)
    scaler.update()
    return norm


def train(record):
    torch.manual_seed(71)
    critic = Critic()
    opt = torch.optim.SGD(critic.parameters(), lr=0.1)
    scaler = GradScaler("cpu", init_scale=1024.0, growth_interval=4)
    xs = torch.randn(5, 10, 4)
    ys = xs.norm(dim=-1, keepdim=True)
    for epoch in range(2):
        for x, y in zip(xs, ys):
            opt.zero_grad()
            loss = penalised(critic, scaler, x, y)
            scaler.scale(loss).backward()
            norm = finish(scaler, opt, critic, 0.8)
            record(list(critic.parameters()))
        print(epoch, loss.item(), float(norm), scaler.get_scale())


if __name__ == "__main__":
    train(lambda parameters: None)
