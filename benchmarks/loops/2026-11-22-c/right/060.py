import torch
import torch.nn.functional as F
from lightning.fabric import Fabric

from codegen.data import packed_stream
from codegen.model import CodeModel


def main(updates=20_000, accum=8, lr=3e-4, devices=2):
    fabric = Fabric(accelerator="cpu", devices=devices, strategy="ddp" if devices > 1 else "auto")
    fabric.launch()
    model = CodeModel(layers=12)
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr, betas=(0.9, 0.95), weight_decay=0.1)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=updates, eta_min=lr / 10)
    model, optimizer = fabric.setup(model, optimizer)
    stream = packed_stream(fabric.global_rank, fabric.world_size)
    model.train()
    for update in range(updates):
        shown = 0.0
        for micro in range(accum):
            tokens, following = next(stream)
            with fabric.no_backward_sync(model, enabled=micro < accum - 1):
                logits = model(tokens)
                loss = F.cross_entropy(logits.flatten(0, -2), following.flatten()) / accum
                fabric.backward(loss)
            shown += loss.item()
        fabric.clip_gradients(model, optimizer, max_norm=1.0)
        optimizer.step()
        schedule.step()
        optimizer.zero_grad()
        if update % 50 == 0:
            fabric.print(f"{update} loss {shown:.4f} lr {schedule.get_last_lr()[0]:.2e}")


if __name__ == "__main__":
    main()
