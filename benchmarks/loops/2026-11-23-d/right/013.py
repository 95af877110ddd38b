import torch
import torch.distributed as dist
from data import stream
from models import Net
from torch.nn.parallel import DistributedDataParallel as DDP


def average_gradients(params, world):
    for p in params:
        if p.grad is not None:
            dist.all_reduce(p.grad, op=dist.ReduceOp.SUM)
            p.grad.div_(world)


def main(micro=4, updates=6):
    dist.init_process_group("gloo")
    world = dist.get_world_size()
    model = DDP(Net())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    batches = stream(rank=dist.get_rank())
    for update in range(updates):
        optimizer.zero_grad(set_to_none=True)
        with model.no_sync():
            for _ in range(micro):
                x, y = next(batches)
                loss = torch.nn.functional.mse_loss(model(x), y)
                (loss / micro).backward()
        average_gradients(model.parameters(), world)
        optimizer.step()
    print("done", loss.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
