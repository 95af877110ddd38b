import tempfile
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def batch(n=4, block=10):
    ids = torch.randint(0, 33, (n, block + 1))
    return ids[:, :-1], ids[:, 1:]


def main():
    dist.init_process_group("gloo", init_method="file://" + tempfile.mktemp(), rank=0, world_size=1)
    torch.manual_seed(0)
    model = DDP(nn.Sequential(nn.Embedding(33, 24), nn.Linear(24, 33)))
    opt = torch.optim.AdamW(model.parameters(), lr=1e-2)
    n_micro = 4
    x, y = batch()
    for it in range(6):
        for micro in range(n_micro):
            model.require_backward_grad_sync = micro == n_micro - 1
            logits = model(x)
            loss = nn.functional.cross_entropy(logits.view(-1, 33), y.reshape(-1)) / n_micro
            x, y = batch()
            loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        opt.zero_grad(set_to_none=True)
        print(it, loss.item() * n_micro)
    dist.destroy_process_group()


main()
