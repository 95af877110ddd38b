import torch
import torch.distributed as dist

from bells.loaders import build_loader
from bells.model import build_model
from bells.monitor import ToneMonitor
from bells.ringing import Ringer


def main():
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    torch.manual_seed(17)
    ringer = Ringer(build_model("strike"), lr=0.01)
    ringer.monitors.append(ToneMonitor(build_loader("held_out", 12, shuffle=False)))
    ringer.ring(build_loader("peal", 12, shuffle=True), epochs=3)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
