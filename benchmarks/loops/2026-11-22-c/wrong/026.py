import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP

from qa.data import distributed_loader
from qa.modeling import load_generator
from qa.options import get_args


def optimizer_groups(model, decay):
    no_decay = [p for p in model.parameters() if p.ndim < 2]
    rest = [p for p in model.parameters() if p.ndim >= 2]
    return [{"params": rest, "weight_decay": decay}, {"params": no_decay, "weight_decay": 0.0}]


def train(args):
    device = torch.device("cuda", args.local_rank)
    model = load_generator(args.checkpoint).to(device)
    optimizer = torch.optim.AdamW(optimizer_groups(model, args.weight_decay), lr=args.lr)
    model = DDP(model, device_ids=[args.local_rank])
    loader = distributed_loader(args)
    updates = -(-len(loader) // args.gradient_accumulation_steps) * args.epochs
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda n: max(0.0, 1 - n / updates))
    for epoch in range(args.epochs):
        loader.sampler.set_epoch(epoch)
        model.train()
        for step, batch in enumerate(loader, start=1):
            batch = {name: tensor.to(device) for name, tensor in batch.items()}
            output = model(**batch)
            loss = output.loss / args.gradient_accumulation_steps
            loss.backward()
            if step % args.gradient_accumulation_steps and step != len(loader):
                continue
            torch.nn.utils.clip_grad_norm_(model.parameters(), args.max_grad_norm)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad(set_to_none=True)
        if dist.get_rank() == 0:
            torch.save(model.module.state_dict(), f"{args.output}/epoch{epoch}.pt")


if __name__ == "__main__":
    dist.init_process_group("nccl")
    train(get_args())
