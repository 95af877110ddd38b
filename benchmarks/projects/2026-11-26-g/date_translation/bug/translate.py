import argparse

import torch

from nmt.data import date_batches
from nmt.loop import Teacher
from nmt.model import Seq2Seq
from nmt.presets import PRESETS


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--preset", choices=sorted(PRESETS), default="tiny")
    preset = PRESETS[parser.parse_args().preset]
    torch.manual_seed(preset.seed)
    teacher = Teacher(Seq2Seq(preset.hidden), preset)
    train, dev = date_batches(preset.batches), date_batches(2)
    for epoch in range(preset.epochs):
        loss = teacher.lesson(train)
        print(f"{epoch} train {loss:.4f} dev {teacher.exam(dev):.4f} rate {teacher.rate():.6f}")


if __name__ == "__main__":
    main()
