import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader
from transformers import AutoModel, AutoTokenizer

from nli.data import MultiNLI, collate


class Classifier(torch.nn.Module):
    def __init__(self, name):
        super().__init__()
        self.encoder = AutoModel.from_pretrained(name)
        self.head = torch.nn.Linear(self.encoder.config.hidden_size, 3)

    def forward(self, ids, mask):
        return self.head(self.encoder(ids, attention_mask=mask).last_hidden_state[:, 0])


def split(batch, size):
    yield from zip(*(t.split(size) for t in batch))


def train(name="microsoft/deberta-v3-base", batch_size=128, micro_batch_size=24, epochs=2, lr=2e-5):
    tokenizer = AutoTokenizer.from_pretrained(name)
    loader = DataLoader(MultiNLI("train", tokenizer), batch_size, shuffle=True, collate_fn=collate)
    model = Classifier(name).cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, total_iters=epochs * len(loader))
    for epoch in range(epochs):
        model.train()
        for n, batch in enumerate(loader):
            whole = len(batch[0])
            value = 0.0
            for ids, mask, label in split(batch, micro_batch_size):
                loss = F.cross_entropy(model(ids.cuda(), mask.cuda()), label.cuda())
                loss = loss * (len(ids) / whole)
                loss.backward()
                value += loss.item()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad(set_to_none=True)
            if n % 100 == 0:
                print(epoch, n, round(value, 4))
    torch.save(model.state_dict(), "nli.pt")


if __name__ == "__main__":
    train()
