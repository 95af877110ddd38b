import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, DistributedSampler, Sampler


class Strings(Dataset):
    def __init__(self, count):
        self.rows = [torch.randint(1, 9, (int(n),)) for n in torch.randint(2, 7, (count,))]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.rows[i], self.rows[i].float().mean()


class SortedPools(Sampler):
    def __init__(self, dataset, size, pool):
        self.source = DistributedSampler(dataset, num_replicas=1, rank=0, shuffle=True)
        self.dataset, self.size, self.pool = dataset, size, pool

    def __iter__(self):
        order = list(self.source)
        for at in range(0, len(order), self.pool):
            part = sorted(order[at : at + self.pool], key=lambda i: len(self.dataset.rows[i]))
            for k in range(0, len(part), self.size):
                yield part[k : k + self.size]

    def set_epoch(self, epoch):
        self.source.set_epoch(epoch)

    def __len__(self):
        return -(-len(self.source) // self.size)


def collate(items):
    rows, targets = zip(*items)
    return nn.utils.rnn.pad_sequence(rows, batch_first=True), torch.stack(targets)[:, None]


def train(record):
    torch.manual_seed(650)
    dataset = Strings(48)
    loader = DataLoader(dataset, batch_sampler=SortedPools(dataset, 6, 18), collate_fn=collate)
    net = nn.Sequential(nn.EmbeddingBag(9, 8, padding_idx=0), nn.Tanh(), nn.Linear(8, 1))
    optimizer = torch.optim.Adam(net.parameters(), lr=0.05)
    for epoch in range(3):
        loader.batch_sampler.set_epoch(epoch)
        total = 0.0
        for rows, targets in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(net(rows), targets)
            loss.backward()
            optimizer.step()
            record(list(net.parameters()))
            total += loss.item()
        print(epoch, total / len(loader))


if __name__ == "__main__":
    train(lambda parameters: None)
