import torch.distributed as dist


def opened():
    if not dist.is_initialized():
        dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)


def closed():
    dist.destroy_process_group()
