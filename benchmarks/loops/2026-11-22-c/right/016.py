import torch
from torch import nn
from tqdm import tqdm


def make_forward(model, dtype):
    @torch.autocast("cuda", dtype=dtype)
    def forward(*inputs):
        return model(*inputs)

    return forward


def train(model, loader, *, epochs=12, lr=4e-4, dtype=torch.bfloat16, device="cuda"):
    model = model.to(device)
    forward = make_forward(model, dtype)
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr, fused=False)
    anneal = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=epochs * len(loader))
    criterion = nn.MSELoss()
    for epoch in range(epochs):
        model.train()
        bar = tqdm(loader, desc=f"{epoch + 1}/{epochs}")
        for field, pressure in bar:
            output = forward(field.to(device))
            loss = criterion(output.float(), pressure.to(device))
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            anneal.step()
            bar.set_postfix(mse=f"{loss.item():.5f}")
    return model
