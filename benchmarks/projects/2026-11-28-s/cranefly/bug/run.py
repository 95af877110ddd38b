import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

from cranefly.engine import Engine
from cranefly.heads import WingHead
from cranefly.model import Encoder, traps
from cranefly.policy import GradientPolicy


def main():
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    try:
        torch.manual_seed(70)
        head = WingHead(window=4)
        model = DistributedDataParallel(Encoder())
        optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
        engine = Engine(model, head, optimizer, GradientPolicy(0.7), window=4)
        for night in range(3):
            print(night, round(engine.night(traps(10)), 4))
    finally:
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
