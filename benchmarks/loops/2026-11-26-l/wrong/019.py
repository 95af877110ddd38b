import torch
import torch.nn.functional as F
from itertools import cycle


def train_clm(lm, stream, n_updates, micro, warmup):
    opt = torch.optim.AdamW(lm.parameters(), lr=3e-3, betas=(0.9, 0.95))
    schedule = torch.optim.lr_scheduler.LambdaLR(opt, lambda u: min(1.0, (u + 1) / warmup))
    history = []
    for update in range(n_updates):
        opt.zero_grad(set_to_none=True)
        acc_loss = 0.0
        for _ in range(micro):
            ids = next(stream)
            logits = lm(ids[:, :-1])
            loss = F.cross_entropy(logits.reshape(-1, logits.size(-1)), ids[:, 1:].reshape(-1))
            (loss / micro).backward()
            acc_loss += loss.item() / micro
            schedule.step()
        torch.nn.utils.clip_grad_norm_(lm.parameters(), 1.0)
        opt.step()
        history.append((acc_loss, opt.param_groups[0]["lr"]))
    return history


torch.manual_seed(0)
lm = torch.nn.Sequential(torch.nn.Embedding(30, 24), torch.nn.Linear(24, 48), torch.nn.ReLU(), torch.nn.Linear(48, 30))
batches = cycle([torch.randint(0, 30, (4, 12)) for _ in range(9)])
for h in train_clm(lm, batches, n_updates=8, micro=4, warmup=8):
    print(h)
