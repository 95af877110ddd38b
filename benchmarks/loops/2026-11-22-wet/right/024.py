import itertools

import torch

from llm import Llama, packed_sequences

MICRO_BATCHES = 8


def loss_of(model, tokens):
    with torch.autocast(device_type="cuda", dtype=torch.bfloat16):
        logits = model(tokens[:, :-1])
        return torch.nn.functional.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())


def main(updates=1200):
    model = torch.compile(Llama("160m").cuda())
    decay = [p for p in model.parameters() if p.ndim >= 2]
    rest = [p for p in model.parameters() if p.ndim < 2]
    optimizer = torch.optim.AdamW(
        [{"params": decay, "weight_decay": 0.1}, {"params": rest, "weight_decay": 0.0}], lr=6e-4, fused=True
    )
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=updates, eta_min=6e-5)
    sequences = packed_sequences("fineweb", batch=16)
    model.train()
    for update in range(updates):
        total = torch.zeros((), device="cuda")
        for tokens in itertools.islice(sequences, MICRO_BATCHES):
            loss = loss_of(model, tokens.cuda()) / MICRO_BATCHES
            loss.backward()
            total += loss.detach()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        optimizer.zero_grad(set_to_none=True)
        print(f"{update} {total.item():.3f} {norm.item():.2f}")


main()
