import torch
from torch.utils.data import DataLoader

from leaf.dataset import LeafDataset
from leaf.model import get_model

BATCH = 8
ACCUM = 8
EPOCHS = 15

device = "cuda" if torch.cuda.is_available() else "cpu"
train_ds = LeafDataset("train.csv", augment=True)
train_dl = DataLoader(train_ds, batch_size=BATCH, shuffle=True, num_workers=0)
print(len(train_ds), "images,", len(train_dl), "batches")

model = get_model("resnet34", num_classes=5).to(device)
criterion = torch.nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-4)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=EPOCHS)

optimizer.zero_grad()
for epoch in range(EPOCHS):
    model.train()
    running_loss = 0
    for i, (images, labels) in enumerate(train_dl):
        images, labels = images.to(device), labels.to(device)
        loss = criterion(model(images), labels)
        (loss / ACCUM).backward()
        running_loss += loss
        if (i + 1) % ACCUM == 0:
            optimizer.step()
            optimizer.zero_grad()
    scheduler.step()
    print(f"epoch {epoch + 1}/{EPOCHS} loss {running_loss / len(train_dl):.4f}")

torch.save(model.state_dict(), "leaf.pt")
