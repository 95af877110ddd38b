import argparse
import json

import deepspeed
import torch

from lm_ds.data import BinaryTokens
from lm_ds.model import build_model


def add_arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--local_rank", type=int, default=-1)
    parser.add_argument("--data", default="tokens.bin")
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--save", default="ckpt")
    return deepspeed.add_config_arguments(parser).parse_args()


def main():
    args = add_arguments()
    deepspeed.init_distributed()
    with open(args.deepspeed_config) as f:
        print(json.dumps(json.load(f).get("zero_optimization", {})))
    model = build_model("1.3b")
    engine, _, loader, _ = deepspeed.initialize(
        args=args, model=model, model_parameters=model.parameters(), training_data=BinaryTokens(args.data, 2048)
    )
    for epoch in range(args.epochs):
        engine.train()
        for step, tokens in enumerate(loader):
            tokens = tokens.to(engine.device)
            loss = engine(tokens, labels=tokens).loss
            engine.backward(loss)
            engine.step()
            if step % 100 == 0 and torch.distributed.get_rank() == 0:
                print(f"{epoch} {step} {loss.item():.4f} lr {engine.get_lr()[0]:.2e}")
        engine.save_checkpoint(args.save, tag=f"epoch{epoch}")


if __name__ == "__main__":
    main()
