import copy

import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn


def main(accum=3, epochs=3):
    torch.manual_seed(105)
    net = nn.Sequential(nn.Conv1d(2, 8, 3), nn.ReLU(), nn.Flatten(), nn.Linear(8 * 18, 1))
    ema = AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(0.9))
    opt = torch.optim.SGD(net.parameters(), lr=0.02)
    data = [(w := torch.randn(6, 2, 20), w[:, 0].amax(1, keepdim=True)) for _ in range(11)]
    start = copy.deepcopy(net.state_dict())
    for epoch in range(epochs):
        for i, (w, peak) in enumerate(data):
            loss = nn.functional.smooth_l1_loss(net(w), peak) / accum
            loss.backward()
            if i % accum == accum - 1 or i == len(data) - 1:
                opt.step()
                opt.zero_grad(set_to_none=True)
                ema.update_parameters(net)
        print(epoch, loss.item() * accum)
    drift = sum((p - start[k]).norm().item() for k, p in ema.module.state_dict().items())
    print("drift", drift)


main()
