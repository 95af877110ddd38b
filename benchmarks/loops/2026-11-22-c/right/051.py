import torch
import torch.nn.functional as F

from tomography import Field, rays, smoothness


def reconstruct(path, outer=60, weight=1e-3):
    field = Field(resolution=32)
    optimizer = torch.optim.LBFGS(field.parameters(), lr=1.0, max_iter=15, history_size=12, line_search_fn="strong_wolfe")
    entry, measured = rays(path)
    parts = {}

    def closure():
        optimizer.zero_grad()
        data = F.mse_loss(field(entry), measured)
        smooth = smoothness(field)
        data.backward()
        (weight * smooth).backward()
        parts.update(data=data.item(), smooth=smooth.item())
        return data.detach() + weight * smooth.detach()

    previous = float("inf")
    for n in range(outer):
        objective = optimizer.step(closure).item()
        print(f"{n:3d} objective {objective:.6f} data {parts['data']:.6f} smooth {parts['smooth']:.4f}")
        if abs(previous - objective) < 1e-9:
            break
        previous = objective
    torch.save(field.state_dict(), "field.pt")
    return field


if __name__ == "__main__":
    reconstruct("scan.h5")
