import torch

text = "the quick brown fox jumps over the lazy dog. " * 40
chars = sorted(set(text))
vocab_size = len(chars)
stoi = {c: i for i, c in enumerate(chars)}
data = torch.tensor([stoi[c] for c in text], dtype=torch.long)
cut = int(0.9 * len(data))


def get_batch(split, batch_size, block_size, device):
    src = data[:cut] if split == 'train' else data[cut:]
    ix = torch.randint(len(src) - block_size, (batch_size,))
    x = torch.stack([src[i:i + block_size] for i in ix])
    y = torch.stack([src[i + 1:i + 1 + block_size] for i in ix])
    return x.to(device), y.to(device)
