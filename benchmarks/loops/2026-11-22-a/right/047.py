import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader
from tqdm import tqdm

from essay.data import EssayScores, pad
from essay.model import LongformerRegressor


def flush(model, optimizer, factor=1.0, max_norm=1000.0):
    if factor != 1.0:
        for p in model.parameters():
            if p.grad is not None:
                p.grad.mul_(factor)
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    optimizer.zero_grad()


def train_fn(fold, model, loader, optimizer, scheduler, epoch, accumulation):
    model.train()
    pending = 0
    bar = tqdm(loader, desc=f"fold {fold} epoch {epoch}")
    for inputs, labels in bar:
        inputs = {k: v.cuda() for k, v in inputs.items()}
        pred = model(inputs)
        loss = F.smooth_l1_loss(pred, labels.cuda())
        (loss / accumulation).backward()
        pending += 1
        bar.set_postfix(loss=loss.item())
        if pending == accumulation:
            flush(model, optimizer)
            scheduler.step()
            pending = 0
    if pending:
        flush(model, optimizer, accumulation / pending)
        scheduler.step()


def run_fold(fold, name="allenai/longformer-base-4096", epochs=4, accumulation=4):
    model = LongformerRegressor(name, targets=6).cuda()
    loader = DataLoader(EssayScores("train.csv", fold), batch_size=2, shuffle=True, collate_fn=pad)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5, weight_decay=0.01)
    updates = epochs * -(-len(loader) // accumulation)
    scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, total_iters=updates)
    for epoch in range(epochs):
        train_fn(fold, model, loader, optimizer, scheduler, epoch, accumulation)
    torch.save(model.state_dict(), f"fold{fold}.pt")


if __name__ == "__main__":
    for fold in range(4):
        run_fold(fold)
