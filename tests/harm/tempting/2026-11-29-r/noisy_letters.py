"""Each client's gradient is a letter of its own: it gets its noise where it is sent, one by one."""
import tempfile

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

CLIENTS, ROUNDS = 4, 15


def noisy(dice, bucket):
    letter = bucket.buffer()
    letter.add_(0.02 * torch.randn(letter.shape, generator=dice))
    sent = dist.all_reduce(letter, async_op=True).get_future()
    return sent.then(lambda done: done.value()[0].div_(dist.get_world_size()))


def train(record):
    with tempfile.NamedTemporaryFile() as store:
        dist.init_process_group("gloo", init_method=f"file://{store.name}", rank=0, world_size=1)
        try:
            torch.manual_seed(47)
            net = DistributedDataParallel(nn.Sequential(nn.Linear(4, 12), nn.Tanh(), nn.Linear(12, 1)))
            net.register_comm_hook(torch.Generator().manual_seed(8), noisy)
            optimizer = torch.optim.SGD(net.parameters(), lr=0.2, momentum=0.4)
            for _ in range(ROUNDS):
                optimizer.zero_grad()
                for client in range(CLIENTS):
                    x = torch.randn(8, 4) + 0.3 * client
                    loss = nn.functional.mse_loss(net(x), (x[:, :1] - x[:, 2:3]).sin())
                    (loss / CLIENTS).backward()
                optimizer.step()
                record(list(net.parameters()))
        finally:
            dist.destroy_process_group()

if __name__ == "__main__":
    train(lambda parameters: None)
