import torch
from torch.nn import functional as F

import parallel
from evaluate import perplexity
from model import MelodyNet
from stream import paced
from tunes import tunes

EVERY, EPOCHS = 5, 3


def main():
    torch.manual_seed(31)
    parallel.init()
    model = parallel.wrap(MelodyNet())
    loader, held_out = tunes(100, seed=3), tunes(20, seed=4, shuffle=False)
    adam = torch.optim.Adam(model.parameters(), lr=0.02)
    for epoch in range(EPOCHS):
        model.train()
        updates = 0
        for melody, due in paced(loader, EVERY):
            parallel.exchange(model, due)
            logits = model(melody[:, :-1])
            loss = F.cross_entropy(logits.flatten(0, 1), melody[:, 1:].flatten())
            (loss / EVERY).backward()
            if due:
                adam.step()
                adam.zero_grad(set_to_none=True)
                updates += 1
        print(f"{epoch}: {updates} updates, perplexity {perplexity(parallel.unwrap(model), held_out):.2f}")


if __name__ == "__main__":
    main()
