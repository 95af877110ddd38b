import torch
import torch.distributed as dist
from data import SortedCorpus
from models import Net
from torch.nn import functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler

dist.init_process_group("gloo")
corpus = SortedCorpus("curriculum.jsonl")  # easy to hard, the order matters
loader = DataLoader(corpus, batch_size=7, sampler=DistributedSampler(corpus, shuffle=False))
model = DDP(Net())
opt = torch.optim.Adam(model.parameters(), lr=2e-4)
for epoch in range(2):
    total = torch.zeros(())
    for x, y in loader:
        opt.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        opt.step()
        total += loss.detach()
    dist.all_reduce(total)
    if dist.get_rank() == 0:
        print(epoch, total.item() / len(loader) / dist.get_world_size())
dist.destroy_process_group()
