import json

import torch
import torch.nn as nn
from torch.optim.lr_scheduler import LinearLR

from bytes_lm.data import Enwik8
from bytes_lm.model import MinGRU


def detach(state):
    return [s.detach() for s in state]


def train(conf):
    data = Enwik8(conf["path"], conf["streams"])
    model = MinGRU(vocab=256, dim=conf["dim"], layers=conf["layers"]).cuda()
    optimizer = torch.optim.Adam(model.parameters(), lr=conf["lr"])
    segments = len(data) // conf["segment"]
    scheduler = LinearLR(optimizer, 1.0, 0.01, total_iters=conf["epochs"] * segments)
    criterion = nn.CrossEntropyLoss()
    log = []
    for epoch in range(conf["epochs"]):
        model.train()
        state = model.initial_state(conf["streams"])
        total = 0.0
        for k in range(segments):
            x, y = data.segment(k, conf["segment"])
            state = detach(state)
            logits, state = model(x.cuda(), state)
            loss = criterion(logits.flatten(0, 1), y.cuda().flatten())
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), conf["clip"])
            optimizer.step()
            scheduler.step()
            total += loss.item()
        log.append({"epoch": epoch, "bpc": total / segments / 0.6931})
        print(log[-1])
    with open(conf["log"], "w") as f:
        json.dump(log, f)
