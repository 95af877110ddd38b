import torch
from torch.nn.functional import logsigmoid

import pieces
from registry import DUE


def pretrain(model, data, conf):
    due = DUE[conf["due"]]
    opt = torch.optim.SGD(model.parameters(), lr=conf["lr"])
    batches = data.split(conf["batch"])
    for epoch in range(conf["epochs"]):
        total = 0.0
        opt.zero_grad()
        for count, batch in enumerate(batches):
            user, good, bad = batch.unbind(1)
            loss = -logsigmoid(model(user, good) - model(user, bad)).mean()
            (loss / conf["window"]).backward()
            total += loss.item()
            if due(count, conf["window"], len(batches) - 1):
                opt.step()
                opt.zero_grad()
        print("bpr", epoch, round(total / len(batches), 4))
