import torch
import torch.nn.functional as F
from accelerate import Accelerator
from torch import nn

PAD, VOCAB, ACCUM = -100, 11, 3


def corpus(batches):
    made = []
    for _ in range(batches):
        ids = torch.randint(VOCAB, (4, 9))
        labels = (ids * 3 + 1) % VOCAB
        for row, length in enumerate(torch.randint(2, 10, (4,)).tolist()):
            labels[row, length:] = PAD
        made.append((ids, labels))
    return made


def windows(items):
    for start in range(0, len(items), ACCUM):
        yield items[start : start + ACCUM]


def token_loss(net, ids, labels):
    logits = net(ids)
    return F.cross_entropy(
        logits.flatten(0, 1), labels.flatten(), ignore_index=PAD, reduction="sum"
    )


def train(record):
    torch.manual_seed(14)
    accelerator = Accelerator(cpu=True, gradient_accumulation_steps=ACCUM)
    items = corpus(12)
    net = nn.Sequential(nn.Embedding(VOCAB, 12), nn.Linear(12, 24), nn.ReLU(), nn.Linear(24, VOCAB))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
    net, optimizer = accelerator.prepare(net, optimizer)
    for epoch in range(2):
        for window in windows(items):
            tokens = sum(int((labels != PAD).sum()) for _, labels in window)
            for ids, labels in window:
                with accelerator.accumulate(net):
                    loss = token_loss(net, ids, labels) * ACCUM / tokens
                    accelerator.backward(loss)
                    if accelerator.sync_gradients:
                        accelerator.clip_grad_norm_(net.parameters(), 1.0)
                    optimizer.step()
                    if accelerator.sync_gradients:
                        record(list(net.parameters()))
                    optimizer.zero_grad()


if __name__ == "__main__":
    train(lambda parameters: None)
