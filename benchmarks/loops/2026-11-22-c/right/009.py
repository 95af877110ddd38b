import torch
import torch.nn.functional as F


def train(model, loader, lr=0.01, epochs=5, max_norm=1.0):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
    scaler = torch.amp.GradScaler("cuda", init_scale=2.0**12)
    model.cuda().train()
    for epoch in range(epochs):
        shown = 0.0
        for x, y in loader:
            with torch.autocast("cuda", dtype=torch.float16):
                loss = F.cross_entropy(model(x.cuda()), y.cuda())
            scaler.scale(loss).backward()
            limit = max_norm * scaler.get_scale()
            norm = torch.nn.utils.clip_grad_norm_(model.parameters(), limit)
            scaler.step(optimizer)
            optimizer.zero_grad(set_to_none=True)
            shown = float(norm) / scaler.get_scale()
            scaler.update()
        print(f"epoch {epoch} loss {loss.item():.4f} norm {shown:.3f}")
    return model
