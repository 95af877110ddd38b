import torch
import torch.nn.functional as F
from torch import nn


class MultiTask(nn.Module):
    def __init__(self, trunk, width):
        super().__init__()
        self.trunk = trunk
        self.segment = nn.Linear(width, 12)
        self.depth = nn.Linear(width, 1)
        self.log_var = nn.Parameter(torch.zeros(2))

    def forward(self, x):
        h = self.trunk(x)
        return self.segment(h), self.depth(h).squeeze(-1)


def train(trunk, width, loader, epochs=40, lr=1e-3):
    model = MultiTask(trunk, width).cuda()
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    scaler = torch.amp.GradScaler("cuda")
    for epoch in range(epochs):
        model.train()
        sums = torch.zeros(2)
        for x, classes, metres in loader:
            with torch.autocast("cuda", dtype=torch.float16):
                segment, depth = model(x.cuda())
                raw = [F.cross_entropy(segment, classes.cuda()), F.l1_loss(depth, metres.cuda())]
                losses = [torch.exp(-v) * loss + v for v, loss in zip(model.log_var, raw)]
            optimizer.zero_grad()
            torch.autograd.backward(scaler.scale(losses))
            scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            scaler.step(optimizer)
            scaler.update()
            sums += torch.stack([loss.detach().float().cpu() for loss in raw])
        print(epoch, (sums / len(loader)).tolist())
    return model
