import torch
import torch.distributed as dist
from asr import Conformer, stream
from torch.nn.parallel import DistributedDataParallel as DDP

dist.init_process_group(backend="nccl")
local = dist.get_rank() % max(torch.cuda.device_count(), 1)
torch.cuda.set_device(local)

net = DDP(Conformer(layers=12).cuda(), device_ids=[local], gradient_as_bucket_view=True)
opt = torch.optim.Adam(net.parameters(), lr=1e-3, betas=(0.9, 0.98), eps=1e-9)
warm = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min((s + 1) ** -0.5, (s + 1) * 4000**-1.5) * 512**-0.5)
data = stream("shards-{000..255}.tar", rank=dist.get_rank())
accum_grad = 6

for update in range(6):
    opt.zero_grad(set_to_none=True)
    for micro in range(accum_grad):
        feats, labels = next(data)
        loss = torch.nn.functional.cross_entropy(net(feats.cuda()), labels.cuda())
        (loss / accum_grad).backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
    opt.step()
    warm.step()
    if dist.get_rank() == 0:
        print(update, loss.item(), warm.get_last_lr())
dist.destroy_process_group()
