import torch

from coastseg.callbacks import GradClip, History, NormLog
from coastseg.engine import Engine
from coastseg.tiles import tile_loaders
from coastseg.unet import MiniUNet


def main() -> None:
    torch.manual_seed(21)
    train, valid = tile_loaders()
    history = History()
    engine = Engine(MiniUNet(), lr=0.05, callbacks=[NormLog(), GradClip(0.3), history])
    engine.fit(train, valid, epochs=2)
    for row in history.rows:
        print(row)


main()
