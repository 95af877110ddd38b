import torch
from coasttrain import finish, limit
from hearing import Hearing, blasts
from torch.nn import functional as F

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def main():
    torch.manual_seed(0)
    model = Hearing().to(DEVICE)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    scaler = torch.amp.GradScaler("cuda", enabled=DEVICE == "cuda")
    norms = []
    for night in range(3):
        for sound, distance in blasts(8):
            with torch.autocast("cuda", dtype=torch.float16, enabled=DEVICE == "cuda"):
                loss = F.cross_entropy(model(sound.to(DEVICE)), distance.to(DEVICE))
            scaler.scale(loss).backward()
            scaler.unscale_(optimizer)
            norms.append(limit(model, 1.0))
            finish(optimizer, scaler)
            scaler.update()
        print(f"night {night}: {loss.item():.4f} norm {sum(norms) / len(norms):.3f}")


if __name__ == "__main__":
    main()
