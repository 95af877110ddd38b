import torch
from belt import belt
from scales import Scales
from trainkit import Committer, backward, make_scaler


def main():
    torch.manual_seed(3)
    net = Scales(width=20)
    optimizer = torch.optim.Adam(net.parameters(), lr=0.005)
    scaler = make_scaler("cpu")
    commit = Committer(optimizer, scaler)
    for turn, (box, weight, fragile) in enumerate(belt(20)):
        with torch.autocast("cpu", dtype=torch.float16):
            guess, kind = net(box)
        mass = torch.nn.functional.mse_loss(guess.float(), weight)
        care = torch.nn.functional.cross_entropy(kind.float(), fragile)
        backward(mass, scaler, keep=True)
        backward(0.3 * care)
        commit()
        if turn % 5 == 0:
            print(turn, mass.item(), care.item())
    print("updates", commit.updates)


if __name__ == "__main__":
    main()
