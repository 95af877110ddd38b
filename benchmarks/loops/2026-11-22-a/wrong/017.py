# %% imports
import numpy as np
import pandas as pd
import timm
import torch
import torch.nn as nn
from sklearn.model_selection import StratifiedKFold
from torch.utils.data import DataLoader

from cassava import CassavaDataset, get_transforms


class CFG:
    model = "tf_efficientnet_b4_ns"
    size = 512
    lr = 1e-4
    epochs = 10
    batch_size = 16
    fold = 0
    clip_value = 1.0
    seed = 719


# %% data
df = pd.read_csv("../input/cassava/train.csv")
splits = list(StratifiedKFold(5, shuffle=True, random_state=CFG.seed).split(df, df.label))
train_df = df.iloc[splits[CFG.fold][0]].reset_index(drop=True)
train_loader = DataLoader(
    CassavaDataset(train_df, get_transforms(CFG.size)), batch_size=CFG.batch_size, shuffle=True, drop_last=True
)

# %% model
model = timm.create_model(CFG.model, pretrained=True, num_classes=5).cuda()
optimizer = torch.optim.Adam(model.parameters(), lr=CFG.lr, weight_decay=1e-6)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=CFG.epochs, eta_min=1e-6)
criterion = nn.CrossEntropyLoss()
scaler = torch.cuda.amp.GradScaler()

# %% training
for epoch in range(CFG.epochs):
    model.train()
    losses = []
    for images, labels in train_loader:
        images, labels = images.cuda(), labels.cuda()
        with torch.cuda.amp.autocast():
            loss = criterion(model(images), labels)
        scaler.scale(loss).backward()
        for param in model.parameters():
            if param.grad is not None:
                param.grad.data.clamp_(-CFG.clip_value, CFG.clip_value)
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
        losses.append(loss.item())
    scheduler.step()
    print(f"Epoch {epoch + 1} - avg_train_loss: {np.mean(losses):.4f}")
torch.save(model.state_dict(), f"{CFG.model}_fold{CFG.fold}.pth")
