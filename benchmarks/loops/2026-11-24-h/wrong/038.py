"""Fine-tune the classifier and the last block of a small text encoder."""
import torch
import torch.nn as nn
from torch.optim.lr_scheduler import LambdaLR


class Encoder(nn.Module):
    def __init__(self, vocab=120, d=24, depth=3):
        super().__init__()
        self.embed = nn.Embedding(vocab, d)
        self.blocks = nn.ModuleList(
            nn.TransformerEncoderLayer(d, 4, 48, dropout=0.0, batch_first=True) for _ in range(depth)
        )
        self.classifier = nn.Linear(d, 3)

    def forward(self, ids):
        h = self.embed(ids)
        for b in self.blocks:
            h = b(h)
        return self.classifier(h.mean(1))


def freeze_lower(model, keep=1):
    model.embed.requires_grad_(False)
    for block in model.blocks[:-keep]:
        block.requires_grad_(False)


def main(epochs=3, warmup=4):
    torch.manual_seed(11)
    ids = torch.randint(0, 120, (96, 10))
    labels = (ids.sum(1) % 3)
    data = torch.utils.data.TensorDataset(ids, labels)
    loader = torch.utils.data.DataLoader(data, batch_size=16, shuffle=True)

    model = Encoder()
    freeze_lower(model)
    trainable = filter(lambda p: p.requires_grad, model.parameters())
    optimizer = torch.optim.AdamW(trainable, lr=1e-3, weight_decay=0.01)
    schedule = LambdaLR(optimizer, lambda s: min(1.0, (s + 1) / warmup))
    loss_fn = nn.CrossEntropyLoss(label_smoothing=0.1)

    for epoch in range(epochs):
        total = 0.0
        for batch_ids, batch_labels in loader:
            optimizer.zero_grad()
            loss = loss_fn(model(batch_ids), batch_labels)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(trainable, max_norm=1.0)
            optimizer.step()
            schedule.step()
            total += loss.item()
        print(f"epoch {epoch + 1}/{epochs} loss={total / len(loader):.4f} lr={schedule.get_last_lr()[0]:.1e}")


if __name__ == "__main__":
    main()
