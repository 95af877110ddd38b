import torch
from lightning_fabric import Fabric
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class CharLM(nn.Module):
    def __init__(self, vocab=20, width=16):
        super().__init__()
        self.emb = nn.Embedding(vocab, width)
        self.gru = nn.GRU(width, width, batch_first=True)
        self.lm_head = nn.Linear(width, vocab)

    def forward(self, idx):
        h, _ = self.gru(self.emb(idx))
        return self.lm_head(h)


def main(max_iters=16, accumulate=4, grad_clip=0.1):
    fabric = Fabric(accelerator="cpu", devices=1)
    fabric.seed_everything(1234, verbose=False)
    tokens = torch.randint(0, 20, (64, 9))
    with fabric.init_module():
        net = CharLM()
    opt = torch.optim.AdamW(net.parameters(), lr=3e-3)
    net, opt = fabric.setup(net, opt)
    loader = fabric.setup_dataloaders(DataLoader(TensorDataset(tokens), batch_size=4))

    iters = 0
    net.train()
    for (chunk,) in loader:
        iters += 1
        is_accumulating = iters % accumulate != 0
        with fabric.no_backward_sync(net, enabled=is_accumulating):
            logits = net(chunk[:, :-1])
            loss = nn.functional.cross_entropy(logits.flatten(0, 1), chunk[:, 1:].flatten())
            fabric.backward(loss / accumulate)
        fabric.clip_gradients(net, opt, max_norm=grad_clip)
        if not is_accumulating:
            opt.step()
            opt.zero_grad()
            fabric.print(f"iter {iters}: {loss.item():.3f}")
        if iters >= max_iters:
            break


if __name__ == "__main__":
    main()
