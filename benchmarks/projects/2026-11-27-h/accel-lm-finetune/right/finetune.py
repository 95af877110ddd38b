import torch
from accelerate import Accelerator
from torch.utils.data import DataLoader

from micro_step import micro_step
from objective import NextToken
from options import load_options
from tiny_lm import TinyLM, make_corpus


def main():
    opt = load_options()
    torch.manual_seed(5)
    accelerator = Accelerator(cpu=True, gradient_accumulation_steps=opt.grad_accum)
    model = TinyLM(opt.vocab, opt.width)
    optimizer = torch.optim.SGD(model.parameters(), lr=opt.lr)
    loader = DataLoader(make_corpus(40, opt), batch_size=opt.micro_batch, shuffle=True)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    objective = NextToken(opt)

    model.train()
    for epoch in range(opt.epochs):
        losses = []
        for ids in loader:
            with accelerator.accumulate(model):
                losses.append(micro_step(accelerator, model, optimizer, objective, ids, opt.max_grad_norm))
        accelerator.print(f"epoch {epoch}: {sum(losses) / len(losses):.4f}")


if __name__ == "__main__":
    main()
