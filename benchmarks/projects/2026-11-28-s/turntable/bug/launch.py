import torch
import torch.distributed as dist

from vinyl.loop import Player
from vinyl.records import Crackle, crate
from vinyl.settings import Settings
from vinyl.strategies import Spread


def main():
    s = Settings()
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    torch.manual_seed(s.seed)
    loader = crate(s.records, s.batch)
    ddp = torch.nn.parallel.DistributedDataParallel(Crackle())
    optimizer = torch.optim.AdamW(ddp.parameters(), lr=s.lr)
    strategy = Spread(ddp, share=1 / len(loader))
    player = Player(strategy, optimizer, s.window)
    for side in range(s.sides):
        print("side", side, round(player.play(loader), 4))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
