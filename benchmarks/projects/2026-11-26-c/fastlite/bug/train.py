import torch
import torch.nn.functional as F

from fastlite import DataLoaders, GradientAccumulation, Learner, OneCycle, Recorder
from fastlite.models import simple_cnn


def main(n_acc=4, epochs=2):
    torch.manual_seed(0)
    y = torch.arange(110) % 3
    x = torch.randn(110, 1, 8, 8) + y.view(-1, 1, 1, 1)
    dls = DataLoaders.from_tensors(x, y, bs=8)
    learn = Learner(dls, simple_cnn(), F.cross_entropy, lr=1e-3,
                    cbs=[GradientAccumulation(n_acc), OneCycle(1e-2, n_acc), Recorder()])
    learn.fit(epochs)


if __name__ == "__main__":
    main()
