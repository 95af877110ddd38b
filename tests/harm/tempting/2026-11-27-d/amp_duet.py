import torch
import torch.nn.functional as F
from torch import nn
from torch.amp import GradScaler


def finish(scaler, log):
    log.append(scaler.get_scale())
    scaler.update()


def train(record):
    torch.manual_seed(9)
    data = torch.randn(10, 16, 8)
    coder, decoder = nn.Linear(8, 3), nn.Linear(3, 8)
    judge = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 1))
    everything = [*coder.parameters(), *decoder.parameters(), *judge.parameters()]
    opt_ae = torch.optim.SGD([*coder.parameters(), *decoder.parameters()], lr=0.1)
    opt_judge = torch.optim.SGD(judge.parameters(), lr=0.1)
    scaler = GradScaler("cpu", init_scale=16.0, growth_interval=2)
    scales = []
    for epoch in range(2):
        for x in data:
            opt_ae.zero_grad()
            with torch.autocast("cpu", dtype=torch.float16):
                back = decoder(torch.tanh(coder(x)))
            reconstruction = F.mse_loss(back.float(), x)
            opt_judge.zero_grad()
            with torch.autocast("cpu", dtype=torch.float16):
                scores = judge(torch.cat([x, back.detach()]))
            truth = torch.cat([torch.ones(16, 1), torch.zeros(16, 1)])
            verdict = F.binary_cross_entropy_with_logits(scores.float(), truth)
            scaler.scale(reconstruction).backward()
            scaler.scale(verdict).backward()
            scaler.step(opt_ae)
            record(everything)
            scaler.step(opt_judge)
            record(everything)
            finish(scaler, scales)
    return scales


if __name__ == "__main__":
    train(lambda parameters: None)
