import math

from accelerate.utils import set_seed
from torch.optim import AdamW
from torch.optim.lr_scheduler import LinearLR

from ft.callbacks import GradClip, Printer
from ft.objectives import next_token_loss
from ft.plumbing import FtConfig, make_accelerator
from ft.scoring import perplexity
from ft.tiny import TinyLM, token_loader


def main():
    cfg = FtConfig.load("conf.yaml")
    set_seed(cfg.seed)
    accelerator = make_accelerator(cfg)
    model = TinyLM(cfg.vocab)
    optimizer = AdamW(model.parameters(), lr=cfg.lr)
    train_loader, val_loader = token_loader(144, cfg, True), token_loader(32, cfg, False)
    updates = cfg.epochs * math.ceil(len(train_loader) / cfg.accumulation)
    scheduler = LinearLR(optimizer, 1.0, 0.1, total_iters=updates)
    model, optimizer, train_loader, val_loader, scheduler = accelerator.prepare(
        model, optimizer, train_loader, val_loader, scheduler
    )
    callbacks = [GradClip(cfg.max_norm), Printer()]
    for epoch in range(cfg.epochs):
        model.train()
        seen = 0.0
        for batch in train_loader:
            with accelerator.accumulate(model):
                loss = next_token_loss(model, batch, cfg)
                accelerator.backward(loss)
                for callback in callbacks:
                    callback.after_backward(accelerator, model)
                optimizer.step()
                scheduler.step()
                optimizer.zero_grad()
            seen += loss.item()
        for callback in callbacks:
            callback.after_epoch(epoch, seen / len(train_loader))
        accelerator.print(f"ppl {perplexity(model, val_loader, cfg):.3f}")


if __name__ == "__main__":
    main()
