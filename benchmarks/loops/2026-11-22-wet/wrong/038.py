import itertools

import torch


def train(model, loader, loss_fn, steps=8000, accumulation=4, device="cpu"):
    optimizer = torch.optim.NAdam(model.parameters(), lr=1e-3)
    model.to(device).train()
    optimizer.zero_grad()
    ema = None
    for step, (inputs, targets) in zip(range(steps), itertools.cycle(loader)):
        outputs = model(inputs.to(device))
        loss = loss_fn(outputs, targets.to(device))
        (loss / accumulation).backward()
        value = loss.item()
        ema = value if ema is None else 0.98 * ema + 0.02 * value
        if step % accumulation == 0:
            torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimizer.step()
            optimizer.zero_grad()
        if step % 100 == 0:
            print(f"[{step}/{steps}] {ema:.4f}")
    return model


if __name__ == "__main__":
    from workbench import loader, model

    train(model, loader, torch.nn.SmoothL1Loss())
