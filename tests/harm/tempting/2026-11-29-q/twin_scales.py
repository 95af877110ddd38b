"""Two optimizers, one function that is called for each: each is unscaled once."""
import torch
from torch import nn


def train(record):
    torch.manual_seed(111)
    body, face = nn.Sequential(nn.Linear(4, 8), nn.Tanh()), nn.Linear(8, 2)
    every = [*body.parameters(), *face.parameters()]
    first = torch.optim.SGD(body.parameters(), lr=0.2)
    second = torch.optim.SGD(face.parameters(), lr=0.1, momentum=0.9)
    scaler = torch.amp.GradScaler("cpu", init_scale=512.0, growth_interval=7)

    def ready(opt):
        scaler.unscale_(opt)
        return nn.utils.clip_grad_norm_(opt.param_groups[0]["params"], 0.5)

    for _ in range(30):
        x = torch.randn(10, 4)
        first.zero_grad(); second.zero_grad()
        scaler.scale(nn.functional.cross_entropy(face(body(x)), (x.sum(1) > 0).long())).backward()
        a = ready(first)
        b = ready(second)
        for opt in (first, second) if a > b else (second, first):
            scaler.step(opt)
            record(every)
        scaler.update()


if __name__ == "__main__":
    train(lambda parameters: None)
