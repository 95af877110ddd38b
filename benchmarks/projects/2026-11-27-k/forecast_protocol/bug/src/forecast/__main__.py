import argparse

import torch

from forecast.fitting import Forecaster
from forecast.masking import MaskedPretrainer
from forecast.model import SeriesNet
from forecast.precision import Float16, Full
from forecast.series import windows


def main() -> None:
    parser = argparse.ArgumentParser(prog="forecast")
    parser.add_argument("--amp", action="store_true")
    parser.add_argument("--device", default="cpu")
    options = parser.parse_args()

    torch.manual_seed(21)
    net = SeriesNet()
    pretrainer = MaskedPretrainer(net, Float16(options.device, active=options.amp))
    pretrainer.run(windows(20, 32), epochs=2)
    forecaster = Forecaster(net, Float16(options.device, active=options.amp))
    forecaster.run(windows(30, 32), epochs=3)
    baseline = Forecaster(SeriesNet(), Full())
    baseline.run(windows(10, 32), epochs=1)


if __name__ == "__main__":
    main()
