import json
from pathlib import Path

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from qa.data import SquadFeatures
from qa.metrics import exact_match
from qa.model import SpanReader


@torch.no_grad()
def evaluate(model, loader, device):
    model.eval()
    scores = []
    for batch in loader:
        start, end = model(batch["ids"].to(device), batch["mask"].to(device))
        scores.append(exact_match(start.argmax(-1).cpu(), end.argmax(-1).cpu(), batch["answers"]))
    return sum(scores) / len(scores)


def train(conf_file):
    conf = json.loads(Path(conf_file).read_text())
    device = torch.device(conf["device"])
    model = SpanReader(conf["encoder"], dropout=conf["dropout"]).to(device)
    train_loader = DataLoader(SquadFeatures("train"), batch_size=conf["batch"], shuffle=True)
    dev_loader = DataLoader(SquadFeatures("dev"), batch_size=64)
    optimizer = torch.optim.AdamW(model.parameters(), lr=conf["lr"])
    step, best = 0, 0.0
    for epoch in range(conf["epochs"]):
        model.train()
        for batch in train_loader:
            optimizer.zero_grad()
            start, end = model(batch["ids"].to(device), batch["mask"].to(device))
            loss = F.cross_entropy(start, batch["start"].to(device)) + F.cross_entropy(end, batch["end"].to(device))
            loss.backward()
            optimizer.step()
            step += 1
            if step % conf["eval_every"] == 0:
                em = evaluate(model, dev_loader, device)
                print(f"step {step} loss {loss.item():.3f} EM {em:.2f}")
                if em > best:
                    best = em
                    torch.save(model.state_dict(), conf["out"])
    return best
