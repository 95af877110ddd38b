"""A half precision network with float32 master weights that are kept by hand."""
import torch
from torch import nn

SCALE = 256.0


class Masters:
    def __init__(self, model):
        self.model = model
        self.copies = [p.detach().float().clone().requires_grad_() for p in model.parameters()]

    def take_gradients(self, scale):
        for master, p in zip(self.copies, self.model.parameters()):
            master.grad = p.grad.float() / scale
            p.grad = None
        return all(bool(m.grad.isfinite().all()) for m in self.copies)

    @torch.no_grad()
    def give_weights(self):
        for master, p in zip(self.copies, self.model.parameters()):
            p.copy_(master)


def train(record):
    torch.manual_seed(16)
    model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 1)).half()
    masters = Masters(model)
    optimizer = torch.optim.SGD(masters.copies, lr=0.05, momentum=0.9)
    # the scale stays where it is
    scaler = torch.amp.GradScaler("cpu", init_scale=SCALE, growth_interval=10**9)
    for _ in range(25):
        x = torch.randn(16, 6)
        y = x[:, :1].relu() - x[:, 1:2]
        loss = (model(x.half()).float() - y).pow(2).mean()
        scaler.scale(loss).backward()
        if masters.take_gradients(scaler.get_scale()):
            optimizer.step()
            masters.give_weights()
            record(masters.copies)


if __name__ == "__main__":
    train(lambda parameters: None)
