import torch
from torch import nn
from torch.nn.functional import cross_entropy


def split_model():
    trunk = nn.Sequential(nn.Linear(9, 12), nn.LayerNorm(12), nn.ReLU())
    return nn.Sequential(trunk, nn.Linear(12, 3))


def optimizers(model):
    trunk_opt = torch.optim.SGD(model[0].parameters(), lr=0.05)
    head_opt = torch.optim.SGD(model[1].parameters(), lr=0.2)
    return trunk_opt, head_opt


def train(record):
    torch.manual_seed(59)
    model = split_model()
    trunk_opt, head_opt = optimizers(model)
    scaler = torch.amp.GradScaler("cpu", init_scale=64.0, growth_interval=1)
    params = list(model.parameters())
    inputs = torch.randn(5, 14, 9)
    labels = torch.randint(0, 3, (5, 14))
    for epoch in range(2):
        for x, y in zip(inputs, labels):
            trunk_opt.zero_grad()
            head_opt.zero_grad()
            loss = cross_entropy(model(x), y)
            scaler.scale(loss).backward()
            scaler.step(trunk_opt)
            record(params)
            scaler.step(head_opt)
            scaler.update()
            record(params)
        print(epoch, loss.item(), scaler.get_scale())


if __name__ == "__main__":
    train(lambda parameters: None)
