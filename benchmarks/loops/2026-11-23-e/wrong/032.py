import torch
import torch.nn.functional as F
from accelerate import Accelerator
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingLR
from torch.utils.data import DataLoader, TensorDataset


class TextCNN(nn.Module):
    def __init__(self, vocab=80, dim=12, classes=3):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.convs = nn.ModuleList([nn.Conv1d(dim, 8, k, padding=k // 2) for k in (3, 5)])
        self.fc = nn.Linear(16, classes)

    def forward(self, ids):
        h = self.emb(ids).transpose(1, 2)
        return self.fc(torch.cat([F.relu(c(h)).amax(-1) for c in self.convs], -1))


def main(num_epochs=2, grad_acc=4, max_grad_norm=1.0):
    accelerator = Accelerator(gradient_accumulation_steps=grad_acc, cpu=True)
    torch.manual_seed(0)
    ids = torch.randint(0, 80, (224, 15))
    data = TensorDataset(ids, ids[:, 0] % 3)
    train_dl = DataLoader(data, batch_size=16, shuffle=True)
    model = TextCNN()
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    scheduler = CosineAnnealingLR(optimizer, T_max=num_epochs * len(train_dl) // grad_acc)
    model, optimizer, train_dl, scheduler = accelerator.prepare(model, optimizer, train_dl, scheduler)

    for epoch in range(num_epochs):
        model.train()
        total = 0.0
        for batch_ids, batch_y in train_dl:
            with accelerator.accumulate(model):
                loss = F.cross_entropy(model(batch_ids), batch_y)
                accelerator.backward(loss)
                accelerator.clip_grad_norm_(model.parameters(), max_grad_norm)
                optimizer.step()
                scheduler.step()
                optimizer.zero_grad()
            total += loss.detach().float().item()
        accelerator.print(f"epoch {epoch}: {total / len(train_dl):.4f}")
    accelerator.end_training()


if __name__ == "__main__":
    main()
