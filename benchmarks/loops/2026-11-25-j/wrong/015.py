import torch
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch.utils.data import DataLoader, TensorDataset


def main():
    set_seed(42)
    accelerator = Accelerator(cpu=True, gradient_accumulation_steps=3)
    model = torch.nn.Sequential(torch.nn.Linear(4, 10), torch.nn.Tanh(), torch.nn.Linear(10, 1))
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
    xs = torch.randn(36, 4)
    ys = xs.pow(2).sum(1, keepdim=True)
    train_dl = DataLoader(TensorDataset(xs, ys), batch_size=4, shuffle=True)
    model, optimizer, train_dl = accelerator.prepare(model, optimizer, train_dl)

    completed = 0
    for epoch in range(2):
        model.train()
        for x, y in train_dl:
            with accelerator.accumulate(model):
                optimizer.zero_grad()
                loss = torch.nn.functional.mse_loss(model(x), y)
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(model.parameters(), 1.0)
                    completed += 1
                optimizer.step()
        accelerator.print(f"epoch {epoch}: {loss.item():.3f} after {completed} updates")


if __name__ == "__main__":
    main()
