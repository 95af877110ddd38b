"""Language model with Lightning Fabric; runs with any number of CPU processes."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from lightning_fabric import Fabric, seed_everything


class NextToken(nn.Module):
    def __init__(self, vocab=40, d=24):
        super().__init__()
        self.wte = nn.Embedding(vocab, d)
        self.mix = nn.GRU(d, d, batch_first=True)
        self.head = nn.Linear(d, vocab, bias=False)

    def forward(self, idx):
        return self.head(self.mix(self.wte(idx))[0])


def tokens(n=64, length=12):
    start = torch.randint(0, 40, (n, 1))
    return (start + torch.arange(length)) % 40


def main(max_iters=32, gradient_accumulation_iters=4):
    fabric = Fabric(accelerator="cpu", devices=1, strategy="ddp")
    fabric.launch()
    seed_everything(1, verbose=False)

    dataset = torch.utils.data.TensorDataset(tokens())
    dl = fabric.setup_dataloaders(torch.utils.data.DataLoader(dataset, batch_size=4, shuffle=True))
    model = NextToken()
    optimizer = torch.optim.AdamW(model.parameters(), lr=4e-3)
    model, optimizer = fabric.setup(model, optimizer)

    iter_num, step_count = 0, 0
    batches = iter(dl)
    while iter_num < max_iters:
        try:
            (ids,) = next(batches)
        except StopIteration:
            batches = iter(dl)
            (ids,) = next(batches)
        iter_num += 1
        logits = model(ids[:, :-1])
        loss = F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten())
        fabric.backward(loss / gradient_accumulation_iters)
        if iter_num % gradient_accumulation_iters == 0:
            fabric.clip_gradients(model, optimizer, max_norm=1.0)
            optimizer.step()
            optimizer.zero_grad()
            step_count += 1
            fabric.print(f"iter {iter_num} step {step_count}: {loss.item():.3f}")


if __name__ == "__main__":
    main()
