import torch


def batches(count, size, users, items):
    rows = []
    for _ in range(count):
        user = torch.randint(0, users, (size,))
        rows.append((user, (user * 3 + torch.randint(0, 2, (size,))) % items))
    return rows
