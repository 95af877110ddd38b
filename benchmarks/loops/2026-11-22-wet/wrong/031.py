from itertools import islice

import torch

import conf
from mt import TranslationModel, batches_forever


def noam(update):
    update = max(update, 1)
    return conf.D_MODEL**-0.5 * min(update**-0.5, update * conf.WARMUP**-1.5)


def run():
    model = TranslationModel(conf.VOCAB, conf.D_MODEL).to(conf.DEVICE)
    optimizer = torch.optim.Adam(model.parameters(), lr=1.0, betas=(0.9, 0.98), eps=1e-9)
    warmup = torch.optim.lr_scheduler.LambdaLR(optimizer, lr_lambda=noam)
    xent = torch.nn.CrossEntropyLoss(ignore_index=conf.PAD)
    stream = batches_forever(conf.TRAIN)

    for update in range(conf.UPDATES):
        model.train()
        optimizer.zero_grad()
        logged = 0.0
        for src, tgt in islice(stream, conf.UPDATE_FREQ):
            src, tgt = src.to(conf.DEVICE), tgt.to(conf.DEVICE)
            scores = model(src, tgt[:, :-1])
            loss = xent(scores.transpose(1, 2), tgt[:, 1:]) / conf.UPDATE_FREQ
            loss.backward()
            warmup.step()
            logged += loss.item()
        optimizer.step()
        if update % 100 == 0:
            print(f"| {update:6d} | {logged:.3f} |")


run()
