import torch
from torch import nn
from torch.amp import GradScaler, autocast
from torch.nn.utils import clip_grad_norm_
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(11)
feats = torch.randn(256, 20)
labels = (feats[:, :5].sum(1) > 0).long()
loader = DataLoader(TensorDataset(feats, labels), batch_size=32, shuffle=True)

clf = nn.Sequential(nn.Linear(20, 48), nn.GELU(), nn.Dropout(0.1), nn.Linear(48, 2))
optimizer = torch.optim.SGD(clf.parameters(), lr=0.2)
loss_fn = nn.CrossEntropyLoss()
scaler = GradScaler("cpu", init_scale=2.0**12)

for epoch in range(3):
    clf.train()
    running = 0.0
    for xb, yb in loader:
        optimizer.zero_grad(set_to_none=True)
        with autocast(device_type="cpu", dtype=torch.float16):
            out = clf(xb)
        loss = loss_fn(out.float(), yb)
        scaler.scale(loss).backward()
        grad_norm = clip_grad_norm_(clf.parameters(), max_norm=1.0)
        scaler.step(optimizer)
        scaler.update()
        running += loss.item()
    print(f"epoch={epoch} loss={running / len(loader):.4f} grad_norm={grad_norm:.1f}")
