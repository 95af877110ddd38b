import torch
from torch import nn


def true_norm_clip(scaler, optimizer, limit):
    scaler.unscale_(optimizer)
    tensors = [p for group in optimizer.param_groups for p in group["params"]]
    return nn.utils.clip_grad_norm_(tensors, limit)


def main(epochs=3):
    torch.manual_seed(120)
    waves = torch.randn(120, 1, 40)
    power = waves.square().mean((1, 2), keepdim=False).unsqueeze(1)
    model = nn.Sequential(nn.Conv1d(1, 6, 5), nn.ReLU(), nn.AdaptiveAvgPool1d(6), nn.Flatten(), nn.Linear(36, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    scaler = torch.amp.GradScaler("cpu", init_scale=1024)
    for epoch in range(epochs):
        norms = []
        for idx in torch.randperm(len(waves)).split(20):
            with torch.autocast("cpu", dtype=torch.float16):
                pred = model(waves[idx])
            loss = nn.functional.mse_loss(pred.float(), power[idx])
            optimizer.zero_grad()
            scaler.scale(loss).backward()
            norms.append(true_norm_clip(scaler, optimizer, 1.0).item())
            scaler.step(optimizer)
            scaler.update()
        print(epoch, loss.item(), max(norms))


if __name__ == "__main__":
    main()
