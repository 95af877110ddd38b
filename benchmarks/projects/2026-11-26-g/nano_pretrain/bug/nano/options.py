import argparse


def parse_options():
    parser = argparse.ArgumentParser(description="A very small language model")
    parser.add_argument("--updates", type=int, default=10)
    parser.add_argument("--grad-accum", type=int, default=4)
    parser.add_argument("--warmup", type=int, default=2)
    parser.add_argument("--lr", type=float, default=3e-3)
    parser.add_argument("--max-norm", type=float, default=1.0)
    parser.add_argument("--vocab", type=int, default=50)
    parser.add_argument("--dim", type=int, default=32)
    parser.add_argument("--context", type=int, default=16)
    parser.add_argument("--batch", type=int, default=4)
    parser.add_argument("--seed", type=int, default=2)
    return parser.parse_args()
