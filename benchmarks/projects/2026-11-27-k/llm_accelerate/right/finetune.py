import torch
from accelerate import Accelerator
from accelerate.utils import set_seed

from lm.args import Args
from lm.corpus import counting_corpus
from lm.loop import micro_batch
from lm.modeling import TinyLM
from lm.objective import causal_lm_loss


def main(args: Args):
    set_seed(11)
    accelerator = Accelerator(cpu=True, gradient_accumulation_steps=args.accum)
    model = TinyLM(args.vocab, seq_len=args.seq_len)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    model, optimizer, loader = accelerator.prepare(model, optimizer, counting_corpus(args))

    for epoch in range(args.epochs):
        model.train()
        seen = 0.0
        for ids in loader:
            with micro_batch(accelerator, model, optimizer, args.max_norm):
                loss = causal_lm_loss(model(ids), ids, args)
                accelerator.backward(loss)
            seen += loss.item()
        accelerator.print(f"epoch {epoch}: {seen / len(loader):.3f}")


if __name__ == "__main__":
    main(Args.parse())
