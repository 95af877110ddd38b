import os
import time

import torch
from torch.distributed import destroy_process_group, get_rank, get_world_size, init_process_group
from torch.nn.parallel import DistributedDataParallel as DDP

from chess_lm.data import GameStream
from chess_lm.model import Decoder

GAMES_PER_UPDATE = 640
GAMES_AT_ONCE = 16
UPDATES = 100_000
MAX_NORM = 1.0

init_process_group(backend="nccl")
rank, world = get_rank(), get_world_size()
device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
torch.cuda.set_device(device)
torch.manual_seed(rank)
pieces = GAMES_PER_UPDATE // (GAMES_AT_ONCE * world)

stream = iter(GameStream("games.bin", batch_size=GAMES_AT_ONCE, rank=rank, world_size=world))
model = DDP(Decoder(layers=12, heads=12, dim=768).to(device), device_ids=[device.index])
optimizer = torch.optim.AdamW(model.parameters(), lr=6e-4, betas=(0.9, 0.95))
scaler = torch.amp.GradScaler("cuda")

update = 0
began = time.time()
while update < UPDATES:
    mean = 0.0
    for _ in range(pieces):
        moves, replies = (t.to(device, non_blocking=True) for t in next(stream))
        with torch.autocast("cuda", dtype=torch.float16):
            loss = model(moves, replies) / pieces
        scaler.scale(loss).backward()
        mean += loss.item()
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(model.parameters(), MAX_NORM)
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad(set_to_none=True)
    update += 1
    if update % 10 == 0 and rank == 0:
        print(f"{update} {mean:.4f} {time.time() - began:.0f}s")
destroy_process_group()
