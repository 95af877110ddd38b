import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(19)
accelerator = Accelerator(cpu=True, gradient_accumulation_steps=3)
net = nn.Linear(5, 2)
optimizer = torch.optim.AdamW(net.parameters(), lr=1e-2)
sched = torch.optim.lr_scheduler.StepLR(optimizer, 2)
loader = DataLoader(TensorDataset(torch.randn(42, 5), torch.randint(0, 2, (42,))), batch_size=6)
net, optimizer, loader, sched = accelerator.prepare(net, optimizer, loader, sched)
for x, y in loader:
    with accelerator.accumulate(net):
        loss = nn.functional.cross_entropy(net(x), y)
        accelerator.backward(loss)
        if accelerator.sync_gradients:
            accelerator.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        sched.step()
        optimizer.zero_grad()
