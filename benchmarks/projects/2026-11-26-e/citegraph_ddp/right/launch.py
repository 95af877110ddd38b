import os
import tempfile

import torch.distributed as dist

from graphs.train import train

if __name__ == "__main__":
    store = os.path.join(tempfile.mkdtemp(), "store")
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=0, world_size=1)
    try:
        train(epochs=2, window=3)
    finally:
        dist.destroy_process_group()
