import io

import torch
from torch import nn


def train(state=None, until=8):
    model = nn.Linear(4, 2)
    opt = torch.optim.Adam(model.parameters(), lr=1e-2)
    first = 0
    if state is not None:
        saved = torch.load(io.BytesIO(state))
        model.load_state_dict(saved["model"])
        opt.load_state_dict(saved["opt"])
        first = saved["step"]
    micro = 3
    for step in range(first, until):
        opt.zero_grad()
        for m in range(micro):
            x = torch.randn(5, 4)
            loss = nn.functional.cross_entropy(model(x), (x[:, 0] > 0).long())
            opt.zero_grad()
            (loss / micro).backward()
        opt.step()
    out = io.BytesIO()
    torch.save({"model": model.state_dict(), "opt": opt.state_dict(), "step": until}, out)
    return out.getvalue()


torch.manual_seed(131)
first = train(until=4)
print(len(train(first, until=8)))
