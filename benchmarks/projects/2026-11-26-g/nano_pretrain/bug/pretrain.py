import torch

from nano.model import NanoLM
from nano.options import parse_options
from nano.pace import Pace
from nano.parallel import Group
from nano.stream import token_stream


def main():
    opt = parse_options()
    torch.manual_seed(opt.seed)
    with Group() as group:
        lm = group.wrap(NanoLM(opt.vocab, opt.dim))
        adamw = torch.optim.AdamW(lm.parameters(), lr=opt.lr, weight_decay=0.1)
        pace = Pace(adamw, opt)
        stream = token_stream(opt)
        for micro in range(opt.updates * opt.grad_accum):
            place = micro % opt.grad_accum
            inputs, labels = next(stream)
            with group.reducing(lm, place, opt.grad_accum):
                loss = lm(inputs, labels) / opt.grad_accum
                loss.backward()
            if place == opt.grad_accum - 1:
                torch.nn.utils.clip_grad_norm_(lm.parameters(), opt.max_norm)
                adamw.step()
                adamw.zero_grad(set_to_none=True)
            pace.tick(inputs.numel())
            if place == 0:
                print(f"{micro:3d} loss {loss.item() * opt.grad_accum:.3f} {pace}")


if __name__ == "__main__":
    main()
