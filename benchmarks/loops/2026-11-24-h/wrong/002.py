# sentiment classification with a bag-of-embeddings model
import torch
from torch import nn, optim
from torch.utils.data import DataLoader

torch.manual_seed(42)
VOCAB, MAX_LEN, EPOCHS = 300, 12, 2
gradient_accumulation_steps = 4


class Reviews(torch.utils.data.Dataset):
    def __init__(self, n):
        self.ids = torch.randint(1, VOCAB, (n, MAX_LEN))
        self.labels = (self.ids.float().mean(1) > VOCAB / 2).long()

    def __len__(self):
        return len(self.ids)

    def __getitem__(self, i):
        return {"input_ids": self.ids[i], "labels": self.labels[i]}


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.EmbeddingBag(VOCAB, 16)
        self.out = nn.Linear(16, 2)

    def forward(self, input_ids, labels=None):
        logits = self.out(self.emb(input_ids))
        loss = nn.functional.cross_entropy(logits, labels) if labels is not None else None
        return loss, logits


train_dataloader = DataLoader(Reviews(180), batch_size=10, shuffle=True)
model = Classifier()
optimizer = optim.AdamW(model.parameters(), lr=3e-3)
num_update_steps = EPOCHS * (len(train_dataloader) // gradient_accumulation_steps + 1)
lr_scheduler = optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.1, total_iters=num_update_steps)

for epoch in range(EPOCHS):
    model.train()
    total = 0.0
    for step, batch in enumerate(train_dataloader):
        loss, _ = model(**batch)
        total += loss.detach().item()
        loss = loss / gradient_accumulation_steps
        loss.backward()
        if step % gradient_accumulation_steps == 0 or step == len(train_dataloader) - 1:
            optimizer.step()
            lr_scheduler.step()
            optimizer.zero_grad()
    print(f"{epoch=} loss={total / len(train_dataloader):.4f}")
