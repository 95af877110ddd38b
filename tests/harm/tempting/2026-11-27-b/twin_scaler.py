import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


def both(encoder, decoder):
    return [*encoder.parameters(), *decoder.parameters()]


def usable(*norms):
    return all(bool(torch.isfinite(n)) for n in norms)


def update(scaler, encoder, decoder, opts, record):
    opt_e, opt_d = opts
    scaler.unscale_(opt_e)
    ne = clip_grad_norm_(encoder.parameters(), 1.0)
    scaler.unscale_(opt_d)
    nd = clip_grad_norm_(decoder.parameters(), 0.5)
    if usable(ne, nd):
        scaler.step(opt_e)
        record(both(encoder, decoder))
        scaler.step(opt_d)
        record(both(encoder, decoder))
    scaler.update()
    for o in opts:
        o.zero_grad()
    return ne, nd


def train(record):
    torch.manual_seed(14)
    encoder = nn.Sequential(nn.Linear(8, 6), nn.ELU())
    decoder = nn.Linear(6, 8)
    opts = (
        torch.optim.SGD(encoder.parameters(), lr=0.1),
        torch.optim.Adam(decoder.parameters(), lr=0.01),
    )
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0**10, growth_interval=4)
    data = torch.randn(48, 8).cumsum(1)
    for epoch in range(3):
        for x in data[torch.randperm(len(data))].split(12):
            loss = nn.functional.mse_loss(decoder(encoder(x)), x)
            scaler.scale(loss).backward()
            norms = update(scaler, encoder, decoder, opts, record)
        print(epoch, loss.item(), *(n.item() for n in norms), scaler.get_scale())


if __name__ == "__main__":
    train(lambda parameters: None)
