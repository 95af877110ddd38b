import torch
from tqdm.auto import tqdm

from settings import Settings


def train(settings: Settings, model: torch.nn.Module, loader) -> torch.nn.Module:
    optimizer = settings.make_optimizer(model.parameters())
    loss_fn = torch.nn.PoissonNLLLoss()
    for epoch in tqdm(range(settings.epochs)):
        model.train()
        total = torch.zeros((), device=settings.device)
        recent = []
        for batch in tqdm(loader, leave=False):
            batch = {k: v.to(settings.device) for k, v in batch.items()}
            rate = model(batch["features"], batch["exposure"])
            loss = loss_fn(rate, batch["counts"])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.detach()
            recent.append(loss.data)
            if len(recent) == settings.log_every:
                print(f"{torch.stack(recent).mean():.4f}")
                recent.clear()
        print(f"epoch {epoch}: {total.item() / len(loader):.4f}")
    return model
