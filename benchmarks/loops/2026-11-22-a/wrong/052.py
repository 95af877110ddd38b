import torch
from torch_geometric.datasets import QM9
from torch_geometric.loader import DataLoader
from torch_geometric.nn import SchNet
from torch_geometric.transforms import Distance


def fit(target=7, epochs=300, batch_size=8, accumulate=16, lr=5e-4):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    dataset = QM9("data/qm9", transform=Distance()).shuffle()
    mean, std = dataset.data.y[:, target].mean(), dataset.data.y[:, target].std()
    train_set, val_set = dataset[:110_000], dataset[110_000:120_000]
    train_loader = DataLoader(train_set, batch_size=batch_size, shuffle=True)
    val_loader = DataLoader(val_set, batch_size=256)
    model = SchNet(hidden_channels=128, num_filters=128, num_interactions=6).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.7, patience=8)

    def evaluate():
        model.eval()
        error = 0.0
        with torch.inference_mode():
            for data in val_loader:
                data = data.to(device)
                pred = model(data.z, data.pos, data.batch).squeeze(-1) * std + mean
                error += (pred - data.y[:, target]).abs().sum().item()
        return error / len(val_set)

    for epoch in range(epochs):
        model.train()
        for i, data in enumerate(train_loader):
            data = data.to(device)
            y = (data.y[:, target] - mean) / std
            loss = torch.nn.functional.l1_loss(model(data.z, data.pos, data.batch).squeeze(-1), y)
            loss = loss * (1 / accumulate)
            loss.backward()
            if i % accumulate == accumulate - 1:
                optimizer.step()
                optimizer.zero_grad()
        mae = evaluate()
        scheduler.step(mae)
        print(f"{epoch} val MAE {mae:.5f}")
