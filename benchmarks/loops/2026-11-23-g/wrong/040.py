from accelerate import Accelerator
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from tqdm.auto import tqdm


class ToyUNet(nn.Module):
    def __init__(self, ch=4):
        super().__init__()
        self.down = nn.Conv1d(1, ch, 3, padding=1)
        self.up = nn.Conv1d(ch + 1, 1, 3, padding=1)

    def forward(self, x, t):
        h = torch.relu(self.down(x))
        t = t.view(-1, 1, 1).expand(-1, 1, x.size(-1))
        return self.up(torch.cat([h, t], 1))


def add_noise(clean, noise, t):
    s = t.view(-1, 1, 1)
    return (1 - s) * clean + s * noise


accelerator = Accelerator(gradient_accumulation_steps=3, cpu=True)
torch.manual_seed(0)
unet = ToyUNet()
optimizer = torch.optim.AdamW(unet.parameters(), lr=1e-2)
train_dataloader = DataLoader(TensorDataset(torch.randn(36, 1, 12)), batch_size=4, shuffle=True)
unet, optimizer, train_dataloader = accelerator.prepare(unet, optimizer, train_dataloader)

global_step = 0
progress = tqdm(total=6, disable=True)
for epoch in range(2):
    unet.train()
    for (clean,) in train_dataloader:
        with accelerator.accumulate(unet):
            optimizer.zero_grad()
            noise = torch.randn_like(clean)
            t = torch.rand(clean.size(0))
            pred = unet(add_noise(clean, noise, t), t)
            loss = nn.functional.mse_loss(pred, noise)
            accelerator.backward(loss)
            if accelerator.sync_gradients:
                accelerator.clip_grad_norm_(unet.parameters(), 1.0)
            optimizer.step()
        if accelerator.sync_gradients:
            progress.update(1)
            global_step += 1
    accelerator.print(epoch, global_step, loss.detach().item())
progress.close()
