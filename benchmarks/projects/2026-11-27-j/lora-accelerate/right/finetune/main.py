import sys

from accelerate.utils import set_seed

from finetune.config import FinetuneConfig
from finetune.data import make_loader
from finetune.modeling import TinyLM
from finetune.setup import make_accelerator, make_optimizer
from finetune.steps import train_step


def main(path: str) -> None:
    cfg = FinetuneConfig.from_json(path)
    set_seed(0)
    accelerator = make_accelerator(cfg)
    model, loader = TinyLM(cfg.vocab, cfg.dim, cfg.rank), make_loader(cfg)
    optimizer, scheduler = make_optimizer(cfg, model, len(loader))
    model, optimizer, loader, scheduler = accelerator.prepare(model, optimizer, loader, scheduler)
    model.train()
    for epoch in range(cfg.epochs):
        losses = []
        for batch in loader:
            with accelerator.accumulate(model):
                losses.append(train_step(accelerator, model, optimizer, scheduler, batch, cfg))
        accelerator.print(f"epoch {epoch}: loss {sum(losses) / len(losses):.4f}")


if __name__ == "__main__":
    main(sys.argv[1])
