import torch

from diffusion.hooks import EmaHook, HookBoard, limit_norm
from diffusion.loop import fit, warm_start
from diffusion.process import Denoiser

if __name__ == "__main__":
    torch.manual_seed(0)
    net = Denoiser()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    board = HookBoard()
    board.on("before_step", limit_norm(0.3))
    board.on("after_step", EmaHook(net))
    warm_start(net, optimizer, board, 5)
    losses = fit(net, optimizer, board, updates=20, micro=4)
    print(f"first {losses[0]:.4f} last {losses[-1]:.4f}")
