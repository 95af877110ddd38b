import torch
from itertools import chain

torch.manual_seed(2)
enc = torch.nn.Linear(10, 6)
dec = torch.nn.Linear(6, 10)
enc.bias.requires_grad_(False)
params = filter(lambda p: p.requires_grad, chain(enc.parameters(), dec.parameters()))
opt = torch.optim.SGD(params, lr=0.1)
data = torch.randn(64, 10)
for epoch in range(5):
    for b in data.split(16):
        opt.zero_grad(set_to_none=True)
        err = (dec(torch.relu(enc(b))) - b).pow(2).mean()
        err.backward()
        for group in opt.param_groups:
            torch.nn.utils.clip_grad_norm_(group["params"], 0.25)
        opt.step()
    print(epoch, err.item())
