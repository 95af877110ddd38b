import torch
import torch.nn as nn
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch.utils.data import DataLoader


class Pairs(torch.utils.data.Dataset):
    def __len__(self):
        return 48

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(i)
        a = torch.randn(10, generator=g)
        return {"anchor": a, "positive": a + 0.1 * torch.randn(10, generator=g)}


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = nn.Sequential(nn.Linear(10, 32), nn.GELU(), nn.Linear(32, 8))

    def forward(self, x):
        return nn.functional.normalize(self.proj(x), dim=-1)


def info_nce(za, zb, tau=0.2):
    logits = za @ zb.t() / tau
    return nn.functional.cross_entropy(logits, torch.arange(len(za)))


def training_function(config):
    accelerator = Accelerator(cpu=True, gradient_accumulation_steps=config["accum"])
    set_seed(config["seed"])
    net = Encoder()
    opt = torch.optim.SGD(net.parameters(), lr=config["lr"], momentum=0.9)
    dl = DataLoader(Pairs(), batch_size=config["bs"], shuffle=True)
    net, opt, dl = accelerator.prepare(net, opt, dl)

    for ep in range(config["epochs"]):
        net.train()
        seen, acc_loss = 0, 0.0
        for batch in dl:
            with accelerator.accumulate(net):
                loss = info_nce(net(batch["anchor"]), net(batch["positive"]))
                loss.backward()
                opt.step()
                opt.zero_grad()
            acc_loss += loss.detach().item()
            seen += 1
        accelerator.print(f"epoch {ep} | nce {acc_loss / seen:.3f}")


if __name__ == "__main__":
    training_function({"lr": 0.05, "bs": 8, "accum": 2, "epochs": 2, "seed": 0})
