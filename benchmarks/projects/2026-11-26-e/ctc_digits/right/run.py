import torch

import config
from asr.callbacks import GradientClip, LossLog, Unscale
from asr.loop import Loop
from asr.model import CTC, Acoustic, digits

if __name__ == "__main__":
    torch.manual_seed(0)
    model = Acoustic(config.FEATURES, config.SYMBOLS)
    optimizer = torch.optim.SGD(model.parameters(), lr=config.LR, momentum=0.9)
    callbacks = [Unscale(), GradientClip(config.MAX_NORM), LossLog()]
    loader = digits(config.SAMPLES, config.FEATURES, config.SYMBOLS, config.BATCH)
    Loop(model, CTC(), optimizer, callbacks, config.BATCH).run(loader, config.EPOCHS)
