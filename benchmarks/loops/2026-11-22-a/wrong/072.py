import numpy as np
import torch
import torch.nn as nn
from sklearn.metrics import roc_auc_score
from torch.utils.data import DataLoader

from fraud.data import TabularDataset
from fraud.model import FTTransformer


def evaluate(model, loader):
    model.eval()
    scores, labels = [], []
    for num, cat, label in loader:
        logit = model(num.cuda(), cat.cuda())
        scores.append(logit.sigmoid().detach().cpu().numpy())
        labels.append(label.numpy())
    return roc_auc_score(np.concatenate(labels), np.concatenate(scores))


def train(train_path, valid_path, epochs=20, lr=1e-4, patience=4):
    model = FTTransformer(blocks=3, width=192).cuda()
    train_loader = DataLoader(TabularDataset(train_path), batch_size=1024, shuffle=True)
    valid_loader = DataLoader(TabularDataset(valid_path), batch_size=4096)
    criterion = nn.BCEWithLogitsLoss(pos_weight=torch.tensor(12.0).cuda())
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=1e-5)
    scaler = torch.cuda.amp.GradScaler()
    best, bad = 0.0, 0
    for epoch in range(epochs):
        model.train()
        for num, cat, label in train_loader:
            optimizer.zero_grad()
            with torch.cuda.amp.autocast():
                loss = criterion(model(num.cuda(), cat.cuda()), label.float().cuda())
            scaler.scale(loss)
            loss.backward()
            scaler.step(optimizer)
            scaler.update()
        auc = evaluate(model, valid_loader)
        print(f"epoch {epoch} auc {auc:.4f}")
        if auc > best:
            best, bad = auc, 0
            torch.save(model.state_dict(), "ft.pt")
        else:
            bad += 1
            if bad > patience:
                break
    return best
