import sys

from parcels.config import Config, override
from parcels.system import System


if __name__ == "__main__":
    cfg = override(Config(), sys.argv[1:])
    System(cfg).train()
