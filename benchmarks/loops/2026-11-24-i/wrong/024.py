import torch
import torch.nn as nn

torch.manual_seed(61)
dev = "cuda" if torch.cuda.is_available() else "cpu"
ae = nn.Sequential(nn.Linear(18, 6), nn.ReLU(), nn.Linear(6, 18)).to(dev)
opt = torch.optim.Adam(ae.parameters(), lr=1e-3)
grad_scaler = torch.amp.GradScaler(dev)
try:
    for k in range(6):
        x = torch.rand(24, 18, device=dev)
        with torch.autocast(dev, dtype=torch.float16, enabled=dev == "cuda"):
            mse = nn.functional.mse_loss(ae(x), x)
        opt.zero_grad()
        grad_scaler.scale(mse).backward()
        grad_scaler.step(opt)
        print(k, mse.item())
except RuntimeError as problem:
    print("stopped:", problem)
