"""Token classification with Accelerate. Effective batch = 4 x 5."""
import torch
import torch.nn as nn
from accelerate import Accelerator
from torch.utils.data import DataLoader, TensorDataset


class TagModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(25, 10)
        self.lin = nn.Linear(10, 3)

    def forward(self, x):
        return self.lin(self.emb(x))


def main():
    torch.manual_seed(0)
    accelerator = Accelerator(cpu=True, gradient_accumulation_steps=4)
    ids = torch.randint(0, 25, (90, 8))
    train = DataLoader(TensorDataset(ids[:70], ids[:70] % 3), batch_size=5, shuffle=True)
    dev = DataLoader(TensorDataset(ids[70:], ids[70:] % 3), batch_size=10)
    model = TagModel()
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-2)
    scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.1, total_iters=8)
    model, optimizer, train, dev, scheduler = accelerator.prepare(model, optimizer, train, dev, scheduler)

    for epoch in range(2):
        model.train()
        for batch in train:
            with accelerator.accumulate(model):
                x, y = batch
                loss = nn.functional.cross_entropy(model(x).flatten(0, 1), y.flatten())
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                scheduler.step()
                optimizer.zero_grad()

        model.eval()
        right = total = 0
        for x, y in dev:
            with torch.no_grad():
                guess = model(x).argmax(-1)
            guess, y = accelerator.gather_for_metrics((guess, y))
            right += (guess == y).sum().item()
            total += y.numel()
        accelerator.print(f"epoch {epoch} loss {loss.item():.4f} dev accuracy {right / total:.3f}")


if __name__ == "__main__":
    main()
