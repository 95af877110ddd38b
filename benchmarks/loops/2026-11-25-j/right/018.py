import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def training_function(config):
    torch.manual_seed(config["seed"])
    accelerator = Accelerator(cpu=True, gradient_accumulation_steps=config["accum"])
    net = nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.Linear(16, 2))
    optimizer = torch.optim.AdamW(net.parameters(), lr=config["lr"])
    dl = DataLoader(TensorDataset(torch.randn(70, 8), torch.randint(0, 2, (70,))), batch_size=7, shuffle=True)
    lr_scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, total_iters=config["epochs"] * 4)
    net, optimizer, dl, lr_scheduler = accelerator.prepare(net, optimizer, dl, lr_scheduler)
    for epoch in range(config["epochs"]):
        net.train()
        for x, y in dl:
            with accelerator.accumulate(net):
                loss = nn.functional.cross_entropy(net(x), y)
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(net.parameters(), 1.0)
                optimizer.step()
                lr_scheduler.step()
                optimizer.zero_grad()
        accelerator.print(epoch, loss.item(), lr_scheduler.get_last_lr())


if __name__ == "__main__":
    training_function({"seed": 118, "accum": 3, "lr": 1e-3, "epochs": 2})
