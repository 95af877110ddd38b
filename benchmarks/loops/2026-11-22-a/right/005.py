import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader
from transformers import AutoModelForSeq2SeqLM, AutoTokenizer, DataCollatorForSeq2Seq

from summarise.data import news_dataset


def windows(loader, n):
    window = []
    for batch in loader:
        window.append(batch)
        if len(window) == n:
            yield window
            window = []
    if window:
        yield window


class Finetuner:
    def __init__(self, name, lr, accumulate, device="cuda"):
        self.tokenizer = AutoTokenizer.from_pretrained(name)
        self.model = AutoModelForSeq2SeqLM.from_pretrained(name).to(device)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=lr)
        self.accumulate = accumulate
        self.device = device

    def update(self, window):
        tokens = sum((batch["labels"] != -100).sum().item() for batch in window)
        total = 0.0
        for batch in window:
            batch = {k: v.to(self.device) for k, v in batch.items()}
            logits = self.model(**batch).logits
            summed = F.cross_entropy(logits.flatten(0, 1), batch["labels"].flatten(), reduction="sum")
            loss = summed / tokens
            loss.backward()
            total += loss.item()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad()
        return total

    def fit(self, epochs, batch_size):
        collate = DataCollatorForSeq2Seq(self.tokenizer, self.model)
        loader = DataLoader(news_dataset(self.tokenizer), batch_size, shuffle=True, collate_fn=collate)
        for epoch in range(epochs):
            self.model.train()
            for n, window in enumerate(windows(loader, self.accumulate)):
                loss = self.update(window)
                if n % 50 == 0:
                    print(epoch, n, f"{loss:.4f}")


if __name__ == "__main__":
    Finetuner("facebook/bart-base", 3e-5, 8).fit(epochs=3, batch_size=4)
