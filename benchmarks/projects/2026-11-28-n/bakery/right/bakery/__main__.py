import torch

from .baker import Baker
from .oven import doughs
from .options import Options


if __name__ == "__main__":
    options = Options.parse()
    torch.manual_seed(options.seed)
    Baker(options, doughs(options.batches)).work()
