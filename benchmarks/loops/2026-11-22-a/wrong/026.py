import random

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader
from transformers import AutoConfig, AutoModel, AutoTokenizer

from tweets import TweetDataset, read_folds


class TweetModel(nn.Module):
    def __init__(self, name, dropout=0.1):
        super().__init__()
        config = AutoConfig.from_pretrained(name, output_hidden_states=True)
        self.backbone = AutoModel.from_pretrained(name, config=config)
        self.drop = nn.Dropout(dropout)
        self.head = nn.Linear(config.hidden_size, 2)

    def forward(self, ids, mask):
        hidden = self.backbone(ids, attention_mask=mask).last_hidden_state
        start, end = self.head(self.drop(hidden)).split(1, dim=-1)
        return start.squeeze(-1), end.squeeze(-1)


def span_loss(start, end, start_target, end_target):
    ce = nn.CrossEntropyLoss()
    return ce(start, start_target) + ce(end, end_target)


def run(fold, name="roberta-base", accum=4, epochs=3, seed=42):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    tokenizer = AutoTokenizer.from_pretrained(name)
    train_df, _ = read_folds(fold)
    loader = DataLoader(TweetDataset(train_df, tokenizer), batch_size=8, shuffle=True)
    model = TweetModel(name).cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-5)
    for epoch in range(epochs):
        model.train()
        for step, data in enumerate(loader):
            optimizer.zero_grad()
            ids, mask = data["ids"].cuda(), data["mask"].cuda()
            start, end = model(ids, mask)
            loss = span_loss(start, end, data["start"].cuda(), data["end"].cuda())
            loss = loss / accum
            loss.backward()
            if (step + 1) % accum == 0 or (step + 1) == len(loader):
                optimizer.step()
        torch.save(model.state_dict(), f"model_{fold}_{epoch}.bin")


if __name__ == "__main__":
    for fold in range(5):
        run(fold)
