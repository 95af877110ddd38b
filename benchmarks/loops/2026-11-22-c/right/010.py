import torch
import torch.nn.functional as F
from accelerate import Accelerator

from landmarks import Regressor, make_datasets


@torch.no_grad()
def validate(accelerator, model, loader):
    model.eval()
    errors = []
    for image, points in loader:
        error = (model(image) - points).abs().mean(dim=-1)
        errors.append(accelerator.gather_for_metrics(error))
    return torch.cat(errors).mean().item()


def main(epochs=20, precision="fp16"):
    accelerator = Accelerator(mixed_precision=precision, gradient_accumulation_steps=2)
    train_set, val_set = make_datasets()
    train_loader = torch.utils.data.DataLoader(train_set, batch_size=32, shuffle=True)
    val_loader = torch.utils.data.DataLoader(val_set, batch_size=64)
    model = Regressor()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=epochs)
    model, optimizer, train_loader, val_loader = accelerator.prepare(model, optimizer, train_loader, val_loader)
    for epoch in range(epochs):
        model.train()
        for image, points in train_loader:
            with accelerator.accumulate(model):
                loss = F.l1_loss(model(image), points)
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                optimizer.zero_grad()
        schedule.step()
        accelerator.print(epoch, loss.item(), validate(accelerator, model, val_loader))


if __name__ == "__main__":
    main()
