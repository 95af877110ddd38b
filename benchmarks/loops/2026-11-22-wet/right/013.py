import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def average_gradients(model):
    world = dist.get_world_size()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    flat = torch.cat([g.reshape(-1) for g in grads])
    dist.all_reduce(flat)
    flat /= world
    for g, chunk in zip(grads, flat.split([g.numel() for g in grads])):
        g.copy_(chunk.view_as(g))


def train(args, module, batches):
    model = DistributedDataParallel(module.to(args.rank), device_ids=[args.rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)
    criterion = torch.nn.CrossEntropyLoss()
    model.train()

    for update in range(args.updates):
        with model.no_sync():
            for _ in range(args.window):
                x, y = next(batches)
                loss = criterion(model(x.to(args.rank)), y.to(args.rank))
                (loss / args.window).backward()
        average_gradients(model)
        torch.nn.utils.clip_grad_norm_(model.parameters(), args.clip)
        optimizer.step()
        optimizer.zero_grad(set_to_none=False)
        if args.rank == 0 and update % args.log_every == 0:
            print(update, loss.item())
