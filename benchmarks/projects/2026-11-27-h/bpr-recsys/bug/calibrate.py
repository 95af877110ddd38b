import torch
from torch import nn

from registry import FINISH


def calibrate(model, data, conf):
    with torch.no_grad():
        user, good, bad = data.unbind(1)
        score = torch.cat([model(user, good), model(user, bad)])
    label = torch.cat([torch.ones(len(data)), torch.zeros(len(data))])
    head = nn.Linear(1, 1)
    opt = torch.optim.SGD(head.parameters(), lr=conf["lr"])
    for _ in range(conf["rounds"]):
        loss = nn.functional.binary_cross_entropy_with_logits(head(score[:, None]).squeeze(1), label)
        loss.backward()
        for name in conf["finish"]:
            FINISH[name](opt, head.parameters())
    return head, loss.item()
