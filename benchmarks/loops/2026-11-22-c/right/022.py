import torch
import torch.distributed as dist
import torch.nn.functional as F

from fleet.data import shard_stream
from fleet.model import SmallTransformer


@torch.no_grad()
def average_parameters(model):
    for p in model.parameters():
        dist.all_reduce(p.data, op=dist.ReduceOp.SUM)
        p.data.div_(dist.get_world_size())


def main(steps=50_000, sync_every=16, lr=4e-4):
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    model = SmallTransformer(vocab=8192, width=256)
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=0.1)
    stream = shard_stream(dist.get_rank(), dist.get_world_size())
    model.train()
    for step in range(1, steps + 1):
        tokens, following = next(stream)
        loss = F.cross_entropy(model(tokens).flatten(0, -2), following.flatten())
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % sync_every == 0:
            average_parameters(model)
            if dist.get_rank() == 0:
                print(f"{step:7d} {loss.item():.4f}")
    average_parameters(model)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
