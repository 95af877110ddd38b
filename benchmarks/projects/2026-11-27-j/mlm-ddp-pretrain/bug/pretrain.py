import torch

from mlm import masked_lm_loss, process_group, window_sync
from mlm.corpus import Corpus
from mlm.encoder import Encoder

EPOCHS, WINDOW, LR = 3, 4, 0.25


def epoch_pass(ddp, corpus, optimizer):
    running = 0.0
    for i, (ids, labels) in enumerate(corpus):
        last = i + 1 == len(corpus)
        with window_sync(ddp, i, WINDOW):
            loss = masked_lm_loss(ddp(ids), labels)
            loss.backward()
        running += loss.item()
        if (i + 1) % WINDOW == 0 or last:
            optimizer.step()
            optimizer.zero_grad()
    return running


def main():
    torch.manual_seed(0)
    corpus = Corpus()
    with process_group() as DDP:
        ddp = DDP(Encoder(corpus.vocab))
        optimizer = torch.optim.SGD(ddp.parameters(), lr=LR)
        ddp.train()
        for epoch in range(EPOCHS):
            print(f"epoch={epoch} running={epoch_pass(ddp, corpus, optimizer):.3f}")


if __name__ == "__main__":
    main()
