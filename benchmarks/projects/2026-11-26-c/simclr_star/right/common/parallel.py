import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

__all__ = ['start_processes', 'stop_processes', 'local_device', 'replicate']


def start_processes(port):
    os.environ.setdefault('MASTER_ADDR', '127.0.0.1')
    os.environ.setdefault('MASTER_PORT', str(port))
    dist.init_process_group('nccl' if torch.cuda.is_available() else 'gloo',
                            rank=int(os.environ.get('RANK', 0)),
                            world_size=int(os.environ.get('WORLD_SIZE', 1)))


def stop_processes():
    dist.destroy_process_group()


def local_device():
    if torch.cuda.is_available():
        return torch.device('cuda', int(os.environ.get('LOCAL_RANK', 0)))
    return torch.device('cpu')


def replicate(module):
    return DistributedDataParallel(module)
