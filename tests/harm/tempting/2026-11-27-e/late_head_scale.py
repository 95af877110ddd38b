import torch
import torch.nn.functional as F
from torch import nn

WARM_EPOCHS = 1


def synthetic(count):
    batches = []
    for _ in range(count):
        x = torch.randn(12, 5)
        batches.append((x, (x[:, 0] + x[:, 1] > 0).long()))
    return batches


def train(record):
    torch.manual_seed(88)
    trunk = nn.Sequential(nn.Linear(5, 10), nn.Tanh())
    head = nn.Linear(10, 2)
    everything = list(trunk.parameters()) + list(head.parameters())
    trunk_opt = torch.optim.SGD(trunk.parameters(), lr=0.1)
    head_opt = torch.optim.SGD(head.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cpu", init_scale=16.0, growth_interval=1)
    for epoch in range(3):
        for x, y in synthetic(4):
            trunk_opt.zero_grad()
            head_opt.zero_grad()
            with torch.autocast("cpu", dtype=torch.float16):
                logits = head(trunk(x))
            loss = F.cross_entropy(logits.float(), y)
            scaler.scale(loss).backward()
            scaler.step(trunk_opt)
            scaler.update()
            record(everything)
            if epoch >= WARM_EPOCHS:
                scaler.step(head_opt)
                record(everything)
        print(epoch, f"{loss.item():.4f}", scaler.get_scale())


if __name__ == "__main__":
    train(lambda parameters: None)
