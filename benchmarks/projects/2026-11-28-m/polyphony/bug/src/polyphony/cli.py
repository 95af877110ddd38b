import argparse

from polyphony.config import TrainConfig
from polyphony.data import loaders
from polyphony.tagger import NoteTagger, build_net


def main() -> None:
    parser = argparse.ArgumentParser(prog="polyphony")
    parser.add_argument("--conf", default="conf.yaml")
    cfg = TrainConfig.load(parser.parse_args().conf)
    train, valid = loaders(cfg)
    tagger = NoteTagger(build_net(cfg), cfg, train, valid)
    tagger.fit()
    print("last lr", f"{tagger.optimizer.param_groups[0]['lr']:.5f}")


if __name__ == "__main__":
    main()
