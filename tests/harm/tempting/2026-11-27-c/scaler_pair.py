import torch
from torch import nn
from torch.amp import GradScaler
from torch.nn.utils import clip_grad_norm_


class Encoder(nn.Sequential):
    def __init__(self):
        super().__init__(nn.Linear(9, 20), nn.Tanh(), nn.Linear(20, 5))


def joint_update(scaler, optimizers, nets, limits):
    norms = []
    for opt, net, limit in zip(optimizers, nets, limits):
        scaler.unscale_(opt)
        norms.append(clip_grad_norm_(net.parameters(), limit))
    return norms


def train(record):
    torch.manual_seed(29)
    encoder, decoder = Encoder(), nn.Linear(5, 9)
    everything = [*encoder.parameters(), *decoder.parameters()]
    opt_e = torch.optim.AdamW(encoder.parameters(), lr=2e-3)
    opt_d = torch.optim.SGD(decoder.parameters(), lr=5e-2)
    scaler = GradScaler("cpu", init_scale=2.0**10, growth_interval=5)
    data = torch.randn(12, 16, 9)
    history = []
    for epoch in range(2):
        for x in data:
            opt_e.zero_grad(set_to_none=True)
            opt_d.zero_grad(set_to_none=True)
            code = encoder(x)
            reconstruction = nn.functional.mse_loss(decoder(code), x)
            sparsity = code.abs().mean()
            scaler.scale(sparsity * 0.1).backward(retain_graph=True)
            scaler.scale(reconstruction).backward()
            history.append(joint_update(scaler, (opt_e, opt_d), (encoder, decoder), (0.3, 1.0)))
            scaler.step(opt_e)
            record(everything)
            scaler.step(opt_d)
            record(everything)
            scaler.update()


if __name__ == "__main__":
    train(lambda parameters: None)
