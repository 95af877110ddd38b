import torch
from torch import nn

from intents.data import load_split
from intents.model import IntentClassifier

WARMUP = 200


def run(epochs: int = 5, lr: float = 4e-5, batch_size: int = 32):
    train_loader = load_split("train", batch_size)
    model = IntentClassifier().cuda()
    criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    warmup = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda s: min(1.0, (s + 1) / WARMUP))
    scaler = torch.amp.GradScaler("cuda")
    step = 0
    model.train()
    for epoch in range(epochs):
        epoch_loss = 0.0
        for tokens, label in train_loader:
            tokens, label = tokens.cuda(), label.cuda()
            with torch.autocast("cuda", dtype=torch.float16):
                loss = criterion(model(tokens), label)
            optimizer.zero_grad()
            scaler.scale(loss).backward()
            scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            scaler.step(optimizer)
            if step < WARMUP:
                warmup.step()
                scaler.update()
            step += 1
            epoch_loss += loss.item()
        print(f"epoch {epoch} loss {epoch_loss / len(train_loader):.4f}")
    return model
