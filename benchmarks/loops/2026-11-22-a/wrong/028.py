import itertools

import torch
import torch.nn.functional as F

from protein.data import family_batches
from protein.esm import MaskedLM


def mask_tokens(tokens, mask_id, prob=0.15):
    chosen = torch.rand(tokens.shape, device=tokens.device) < prob
    labels = tokens.masked_fill(~chosen, -100)
    return tokens.masked_fill(chosen, mask_id), labels


def pretrain(hparams):
    device = "cuda"
    model = MaskedLM(hparams["layers"], hparams["dim"]).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=hparams["lr"])
    stream = itertools.cycle(family_batches(hparams["path"], hparams["tokens"]))
    k = hparams["accumulate"]
    step = 0
    model.train()
    while step < hparams["steps"]:
        acc = 0.0
        for _ in range(k):
            for p in model.parameters():
                p.grad = None
            tokens = next(stream).to(device)
            inputs, labels = mask_tokens(tokens, hparams["mask_id"])
            logits = model(inputs)
            loss = F.cross_entropy(logits.transpose(1, 2), labels) / k
            loss.backward()
            acc += loss.item()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        step += 1
        if step % 500 == 0:
            print(step, round(acc, 4), flush=True)
            torch.save(model.state_dict(), hparams["out"])


if __name__ == "__main__":
    pretrain(
        {"layers": 12, "dim": 480, "lr": 4e-4, "path": "uniref50.lmdb", "tokens": 16384, "accumulate": 8,
         "steps": 200_000, "mask_id": 32, "out": "esm.pt"}
    )
