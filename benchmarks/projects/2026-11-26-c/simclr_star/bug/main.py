import argparse

import torch

from common import *
from loop import knn_accuracy, train_one_epoch
from net import SimCLR
from views import labelled_points, two_view_loader

parser = argparse.ArgumentParser(description='contrastive learning')
parser.add_argument('--epochs', type=int, default=3)
parser.add_argument('--batch-size', type=int, default=16)
parser.add_argument('--accum', type=int, default=2)
parser.add_argument('--lr', type=float, default=0.05)
parser.add_argument('--temperature', type=float, default=0.2)
parser.add_argument('--clip', type=float, default=1.0)
parser.add_argument('--no-half', dest='half', action='store_false')


def main():
    args = parser.parse_args()
    torch.manual_seed(0)
    start_processes(29544)
    device = local_device()
    loader = two_view_loader(args.batch_size)
    model = replicate(SimCLR().to(device))
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9, weight_decay=1e-4)
    scaler = torch.amp.GradScaler(device.type, init_scale=512.0, enabled=args.half)
    test_x, test_y = labelled_points(60, seed=5)
    for epoch in range(args.epochs):
        loader.sampler.set_epoch(epoch)
        loss = train_one_epoch(model, loader, optimizer, scaler, args, device)
        print('epoch %d loss %.4f knn %.3f' % (epoch, loss, knn_accuracy(model, test_x, test_y, device)))
    stop_processes()


if __name__ == '__main__':
    main()
