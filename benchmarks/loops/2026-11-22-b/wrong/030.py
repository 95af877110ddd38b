import gc

import numpy as np
import pandas as pd
import torch
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold
from torch import nn
from torch.utils.data import DataLoader

from comp.data import Images, train_tfms, valid_tfms
from comp.models import EffNet


class CFG:
    seed = 2021
    folds = 5
    epochs = 6
    bs = 16
    accum = 4
    lr = 3e-4
    eval_step = 500


def predict(model, loader):
    model.eval()
    out = []
    with torch.no_grad():
        for x, _ in loader:
            out.append(model(x.cuda()).sigmoid().cpu().numpy())
    return np.concatenate(out)


def train_fold(df, fold):
    trn, val = df[df.fold != fold], df[df.fold == fold]
    trn_loader = DataLoader(Images(trn, train_tfms), CFG.bs, shuffle=True, num_workers=4)
    val_loader = DataLoader(Images(val, valid_tfms), CFG.bs * 2, num_workers=4)
    model = EffNet("tf_efficientnet_b3_ns", n_out=1).cuda()
    optimizer = torch.optim.Adam(model.parameters(), lr=CFG.lr)
    updates = CFG.epochs * (len(trn_loader) // CFG.accum)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=updates)
    criterion = nn.BCEWithLogitsLoss()
    best = 0.0

    for epoch in range(CFG.epochs):
        model.train()
        for i, (x, y) in enumerate(trn_loader):
            logits = model(x.cuda()).view(-1)
            loss = criterion(logits, y.cuda().float()) / CFG.accum
            loss.backward()
            if (i + 1) % CFG.accum == 0:
                optimizer.step()
                scheduler.step()
                optimizer.zero_grad()
            if (i + 1) % CFG.eval_step == 0:
                auc = roc_auc_score(val.target.values, predict(model, val_loader))
                print(f"fold {fold} epoch {epoch} it {i} auc {auc:.5f}")
                if auc > best:
                    best = auc
                    torch.save(model.state_dict(), f"f{fold}.pth")
    del model
    gc.collect()
    torch.cuda.empty_cache()
    return best


if __name__ == "__main__":
    frame = pd.read_csv("train.csv")
    splits = StratifiedKFold(CFG.folds, shuffle=True, random_state=CFG.seed).split(frame, frame.target)
    for k, (_, idx) in enumerate(splits):
        frame.loc[idx, "fold"] = k
    print(np.mean([train_fold(frame, k) for k in range(CFG.folds)]))
