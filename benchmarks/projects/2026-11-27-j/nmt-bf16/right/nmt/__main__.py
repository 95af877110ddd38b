import argparse
from types import SimpleNamespace

import torch
import yaml

from nmt.seq2seq import CopyNet
from nmt.translation import TranslationTrainer, pairs


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--config", required=True)
    with open(parser.parse_args().config) as stream:
        cfg = SimpleNamespace(**yaml.safe_load(stream))
    torch.manual_seed(0)
    trainer = TranslationTrainer(CopyNet(cfg.vocab, cfg.length, cfg.dim), cfg)
    trainer.fit(pairs(cfg, 320))


main()
