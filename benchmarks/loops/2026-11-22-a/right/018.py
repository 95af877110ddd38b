import lightning as L
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from lit_small.data import PackedDataset
from lit_small.model import GPT


def main(devices: int = 4, accumulate: int = 8, max_iters: int = 100_000, lr: float = 3e-4) -> None:
    fabric = L.Fabric(devices=devices, strategy="ddp", precision="bf16-mixed")
    fabric.launch()
    fabric.seed_everything(1337 + fabric.global_rank)
    with fabric.init_module():
        model = GPT.from_name("pythia-160m")
    model = fabric.setup(model)
    optimizer = fabric.setup_optimizers(torch.optim.AdamW(model.parameters(), lr=lr, betas=(0.9, 0.95)))
    loader = fabric.setup_dataloaders(DataLoader(PackedDataset("data/slim/*.bin", 2049), batch_size=8))

    model.train()
    updates = 0
    for it, tokens in enumerate(loader):
        if it >= max_iters:
            break
        inputs, targets = tokens[:, :-1].contiguous(), tokens[:, 1:].contiguous()
        is_accumulating = (it + 1) % accumulate != 0
        with fabric.no_backward_sync(model, enabled=is_accumulating):
            logits = model(inputs)
            loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten())
            fabric.backward(loss / accumulate)
        if not is_accumulating:
            fabric.clip_gradients(model, optimizer, max_norm=1.0)
            optimizer.step()
            optimizer.zero_grad()
            updates += 1
            if updates % 10 == 0:
                fabric.print(f"update {updates} iter {it} loss {loss.item():.4f}")
    fabric.save("final.pt", {"model": model})


if __name__ == "__main__":
    from jsonargparse import CLI

    CLI(main)
