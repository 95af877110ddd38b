import torch

from bindery.atlas import AtlasBinder
from bindery.sheets import sheets
from options import options

if __name__ == "__main__":
    torch.manual_seed(0)
    args = options()
    AtlasBinder(args).run(sheets(), args.years)
