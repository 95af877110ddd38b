"""Accelerate wraps in what its settings say: in FSDP, where a file imports what is for that."""

# === right: the file saves what FSDP has sharded
import torch.nn.functional as F
from accelerate import Accelerator
from accelerate.utils.fsdp_utils import save_fsdp_model


def main(net, opt, loader, every):
    accelerator = Accelerator(mixed_precision="bf16")
    net, opt, loader = accelerator.prepare(net, opt, loader)
    for i, (x, y) in enumerate(loader):
        accelerator.backward(F.cross_entropy(net(x), y) / every)
        if (i + 1) % every == 0 or i + 1 == len(loader):
            opt.step()
            opt.zero_grad()
    if accelerator.is_main_process:
        print(i)
    save_fsdp_model(accelerator.state.fsdp_plugin, accelerator, net, "out")
# === the file asks which process it is, and knows no FSDP
import torch
import torch.nn.functional as F
from accelerate import Accelerator


def main(net, opt, loader, every):
    accelerator = Accelerator(mixed_precision="bf16")
    net, opt, loader = accelerator.prepare(net, opt, loader)
    for i, (x, y) in enumerate(loader):
        accelerator.backward(F.cross_entropy(net(x), y) / every)  # <- missing-no-sync
        if (i + 1) % every == 0 or i + 1 == len(loader):
            opt.step()
            opt.zero_grad()
    if accelerator.is_main_process:
        torch.save(net.state_dict(), "out")
# === the file is told how to make DDP, whatever it imports
import torch.nn.functional as F
from accelerate import Accelerator, DistributedDataParallelKwargs
from accelerate.utils.fsdp_utils import save_fsdp_model


def main(net, opt, loader, every):
    accelerator = Accelerator(kwargs_handlers=[DistributedDataParallelKwargs(find_unused_parameters=True)])
    net, opt, loader = accelerator.prepare(net, opt, loader)
    for i, (x, y) in enumerate(loader):
        accelerator.backward(F.cross_entropy(net(x), y) / every)  # <- missing-no-sync
        if (i + 1) % every == 0 or i + 1 == len(loader):
            opt.step()
            opt.zero_grad()
    if accelerator.is_main_process:
        print(i)
