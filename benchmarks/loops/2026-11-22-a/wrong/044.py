import torch
import torch.nn.functional as F
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch.optim.lr_scheduler import CosineAnnealingLR
from torch.utils.data import DataLoader

from forecasting.data import WindowedSeries
from forecasting.model import PatchTST

EPOCHS = 20
ACCUMULATION = 8


def main():
    accelerator = Accelerator(gradient_accumulation_steps=ACCUMULATION)
    set_seed(0)
    train = DataLoader(WindowedSeries("etth1.csv", 336, 96), batch_size=16, shuffle=True)
    model = PatchTST(channels=7, context=336, horizon=96)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-4)
    model, optimizer, train = accelerator.prepare(model, optimizer, train)
    updates = EPOCHS * (len(train) // ACCUMULATION + 1)
    scheduler = CosineAnnealingLR(optimizer.optimizer, T_max=updates)

    for epoch in range(EPOCHS):
        model.train()
        for context, future in train:
            with accelerator.accumulate(model):
                loss = F.mse_loss(model(context), future)
                accelerator.backward(loss)
                optimizer.step()
                scheduler.step()
                optimizer.zero_grad()
        accelerator.print(f"epoch {epoch}: last loss {loss.item():.4f}, lr {scheduler.get_last_lr()[0]:.2e}")
        accelerator.save_state("checkpoints/last")


if __name__ == "__main__":
    main()
