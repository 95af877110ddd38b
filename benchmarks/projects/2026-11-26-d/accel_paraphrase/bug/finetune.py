import argparse

from accelerate.utils import set_seed

from runtime import micro_step, start
from siamese import Siamese, make_pairs
from steps import pair_loss


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=2)
    ap.add_argument("--accum", type=int, default=4)
    ap.add_argument("--lr", type=float, default=3e-3)
    args = ap.parse_args()
    set_seed(9)
    accelerator, model, optimizer, loader = start(Siamese(vocab=40), make_pairs(112), args)
    for epoch in range(args.epochs):
        model.train()
        seen = 0.0
        for batch in loader:
            with micro_step(accelerator, model):
                loss = pair_loss(accelerator, model, batch)
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                optimizer.zero_grad()
            seen += loss.detach().item()
        accelerator.print(f"epoch {epoch}: {seen / len(loader):.4f}")


if __name__ == "__main__":
    main()
