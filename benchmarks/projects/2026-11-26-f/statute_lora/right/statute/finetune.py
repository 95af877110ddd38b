import torch
from accelerate import Accelerator
from accelerate.utils import set_seed

from . import args as options
from .callbacks import Drafts, GradientLimit
from .corpus import loader as make_loader
from .lora import adapters
from .model import StatuteLM


def main():
    args = options.parse()
    set_seed(4)
    accelerator = Accelerator(cpu=True, gradient_accumulation_steps=args.accum)
    model = StatuteLM(options.lm_config(args))
    optimizer = torch.optim.SGD(adapters(model), lr=args.lr, momentum=0.9)
    model, optimizer, loader = accelerator.prepare(model, optimizer, make_loader())
    limit, drafts = GradientLimit(args.max_grad_norm), Drafts(args.sample_every)

    update = 0
    model.train()
    for epoch in range(args.epochs):
        seen = 0.0
        for batch in loader:
            with accelerator.accumulate(model):
                loss = model(**batch)["loss"]
                accelerator.backward(loss)
                limit.after_backward(accelerator, model)
                optimizer.step()
                optimizer.zero_grad()
            seen += loss.item()
            if accelerator.sync_gradients:
                update += 1
                drafts.after_update(update, model)
        accelerator.print(f"epoch {epoch}: {seen / len(loader):.4f}")


if __name__ == "__main__":
    main()
