import torch
from torch import nn

torch.manual_seed(119)
conv = nn.Sequential(nn.Conv1d(2, 8, 3), nn.ReLU(), nn.Flatten(), nn.Linear(8 * 14, 1))
opt = torch.optim.SGD(conv.parameters(), lr=0.02, momentum=0.9)
scaler = torch.amp.GradScaler("cpu", init_scale=1024.0, growth_interval=5)
MAX_NORM = 0.5

for step in range(12):
    ecg = torch.randn(10, 2, 16)
    rate = ecg.std(dim=(1, 2))
    with torch.autocast("cpu", dtype=torch.float16):
        pred = conv(ecg).squeeze(1)
    loss = nn.functional.l1_loss(pred.float(), rate)
    opt.zero_grad()
    scaler.scale(loss).backward()
    scaled_limit = MAX_NORM * scaler.get_scale()
    nn.utils.clip_grad_norm_(conv.parameters(), scaled_limit)
    scaler.step(opt)
    scaler.update()
    print(step, f"{loss.item():.4f}", scaler.get_scale())
