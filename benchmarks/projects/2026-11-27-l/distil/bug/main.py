import torch
from torch.utils.data import DataLoader, TensorDataset

from distil.distiller import Distiller
from distil.nets import student_net, teacher_net


def main():
    torch.manual_seed(6)
    x = torch.randn(640, 10)
    train = DataLoader(TensorDataset(x[:512]), batch_size=32, shuffle=True)
    held_out = DataLoader(TensorDataset(x[512:]), batch_size=64)
    Distiller(student_net(), teacher_net()).fit(train, held_out, epochs=4)


main()
