import torch

from mriseg.engine.seg import SliceEngine
from mriseg.network import TinyUNet
from mriseg.slices import phantom_batches

if __name__ == "__main__":
    torch.manual_seed(0)
    net = TinyUNet(width=8, drop=0.2)
    engine = SliceEngine(net, torch.optim.AdamW(net.parameters(), lr=3e-3), window=3)
    engine.fit(phantom_batches(10), phantom_batches(3), epochs=3)
