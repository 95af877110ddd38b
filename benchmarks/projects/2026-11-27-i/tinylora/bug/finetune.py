import torch
from torch.utils.data import DataLoader

from launch import accelerator_for, optimizer_for
from lora import BigramLM
from objective import limit, next_token_loss
from settings import load


def corpus(n=72, length=16, vocab=24):
    start = torch.randint(0, vocab, (n, 1))
    return (start + 3 * torch.arange(length)) % vocab


def main():
    s = load()
    accelerator = accelerator_for(s)
    model = BigramLM(rank=s.rank)
    optimizer = optimizer_for(model, s)
    loader = DataLoader(corpus(), batch_size=8, shuffle=True)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for epoch in range(s.epochs):
        model.train()
        for ids in loader:
            with accelerator.accumulate(model):
                loss = next_token_loss(model, ids, s)
                accelerator.backward(loss)
                limit(accelerator, model, s)
                optimizer.step()
                optimizer.zero_grad()
        accelerator.print(f"epoch {epoch}: {loss.item():.4f}")


if __name__ == "__main__":
    main()
