import torch
from torch import nn

torch.manual_seed(21)
ACCUM = 4
encoder = nn.GRU(6, 12, batch_first=True)
readout = nn.Linear(12, 1)
params = [*encoder.parameters(), *readout.parameters()]
opt = torch.optim.SGD(params, lr=0.05)
scaler = torch.amp.GradScaler("cpu", init_scale=2.0**12)

sequences = torch.randn(12, 8, 5, 6)
labels = sequences.mean(dim=(2, 3)).gt(0).float()

for epoch in range(2):
    running = 0.0
    for i in range(len(sequences)):
        _, h = encoder(sequences[i])
        logit = readout(h[-1]).squeeze(-1)
        loss = nn.functional.binary_cross_entropy_with_logits(logit, labels[i])
        scaler.scale(loss / ACCUM).backward()
        running += loss.item()
        if (i + 1) % ACCUM == 0 or i + 1 == len(sequences):
            nn.utils.clip_grad_norm_(params, 1.0)
            scaler.unscale_(opt)
            scaler.step(opt)
            scaler.update()
            opt.zero_grad()
    print(epoch, running / len(sequences))
