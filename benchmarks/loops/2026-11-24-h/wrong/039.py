import torch
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Pairs(Dataset):
    """source sequence -> reversed sequence"""

    def __init__(self, n=64, length=6, vocab=15):
        self.src = torch.randint(0, vocab, (n, length))

    def __len__(self):
        return len(self.src)

    def __getitem__(self, i):
        return {"input_ids": self.src[i], "labels": self.src[i].flip(0)}


class Tagger(nn.Module):
    def __init__(self, vocab=15, d=32):
        super().__init__()
        self.emb = nn.Embedding(vocab, d)
        self.rnn = nn.LSTM(d, d, batch_first=True, bidirectional=True)
        self.head = nn.Linear(2 * d, vocab)

    def forward(self, input_ids, labels):
        logits = self.head(self.rnn(self.emb(input_ids))[0])
        return nn.functional.cross_entropy(logits.transpose(1, 2), labels), logits


def training_function(num_epochs=2, max_grad_norm=1.0):
    accelerator = Accelerator(cpu=True, gradient_accumulation_steps=4)
    set_seed(5)
    model = Tagger()
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
    train_dl = DataLoader(Pairs(), batch_size=4, shuffle=True)
    lr_scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=num_epochs * len(train_dl) // 4)
    model, optimizer, train_dl, lr_scheduler = accelerator.prepare(model, optimizer, train_dl, lr_scheduler)

    for epoch in range(num_epochs):
        model.train()
        running = 0.0
        for batch in train_dl:
            with accelerator.accumulate(model):
                loss, _ = model(**batch)
                accelerator.backward(loss)
                accelerator.clip_grad_norm_(model.parameters(), max_grad_norm)
                optimizer.step()
                lr_scheduler.step()
                optimizer.zero_grad()
            running += loss.detach().item()
        accelerator.print(f"epoch {epoch}: {running / len(train_dl):.4f}")


if __name__ == "__main__":
    training_function()
