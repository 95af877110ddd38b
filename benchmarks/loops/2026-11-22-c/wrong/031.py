import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP

from tts.data import mel_loader
from tts.flow import FlowTTS


def main():
    dist.init_process_group(backend="nccl")
    local = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local)
    model = DDP(FlowTTS(n_mels=80).cuda(), device_ids=[local])
    net = model.module
    loader = mel_loader("ljspeech", batch_size=16)
    epochs = 200
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-4, betas=(0.8, 0.99))
    cycle = torch.optim.lr_scheduler.OneCycleLR(optimizer, 1e-3, epochs=epochs, steps_per_epoch=len(loader))
    for epoch in range(epochs):
        loader.sampler.set_epoch(epoch)
        net.train()
        for text, mel in loader:
            optimizer.zero_grad(set_to_none=True)
            nll, duration = net.losses(text.cuda(), mel.cuda())
            loss = nll + duration
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimizer.step()
            cycle.step()
        if local == 0:
            print(f"{epoch} nll {nll.item():.3f} duration {duration.item():.3f}")
            torch.save(net.state_dict(), "flow.pt")
    dist.destroy_process_group()


main()
