import torch
from torch import nn

torch.manual_seed(0)


class Tower(nn.Module):
    def __init__(self, wide):
        super().__init__()
        self.table = nn.Embedding(30, wide)
        self.mix = nn.Linear(wide, wide)
        self.out = nn.Linear(wide, 1)

    def forward(self, ids):
        return self.out(torch.relu(self.mix(self.table(ids).mean(1)))).squeeze(1)


def groups(tower):
    table = [tower.table.weight]
    dense = [p for name, p in tower.named_parameters() if not name.startswith("table")]
    return table, dense


def train(record):
    torch.manual_seed(114)
    tower = Tower(8)
    table, dense = groups(tower)
    slow = torch.optim.SGD(table, lr=0.5)
    quick = torch.optim.SGD(dense, lr=0.05, momentum=0.9)
    scaler = torch.amp.GradScaler("cpu", init_scale=64.0, growth_interval=1)
    clicks = [(torch.randint(0, 30, (16, 3)), torch.rand(16).round()) for _ in range(5)]

    for epoch in range(2):
        for ids, click in clicks:
            slow.zero_grad()
            quick.zero_grad()
            loss = nn.functional.binary_cross_entropy_with_logits(tower(ids), click)
            scaler.scale(loss).backward()
            scaler.unscale_(slow)
            nn.utils.clip_grad_value_(table, 0.1)
            scaler.step(slow)
            record(table + dense)
            scaler.step(quick)
            record(table + dense)
            scaler.update()


if __name__ == "__main__":
    train(lambda parameters: None)
