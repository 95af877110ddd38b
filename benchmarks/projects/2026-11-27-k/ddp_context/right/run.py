import torch
import torch.distributed as dist

from nets import Autoencoder
from stage_one import pretrain
from stage_two import finetune


def make_batches(count=22, size=16, dim=24):
    basis = torch.randn(6, dim)
    direction = torch.randn(6)
    out = []
    for _ in range(count):
        code = torch.randn(size, 6)
        out.append((code @ basis / 6**0.5, code @ direction))
    return out


if __name__ == "__main__":
    torch.manual_seed(5)
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    batches = make_batches()
    encoder = pretrain(Autoencoder(), batches, epochs=4, size=4)
    finetune(encoder, batches, epochs=4, size=4)
    dist.destroy_process_group()
