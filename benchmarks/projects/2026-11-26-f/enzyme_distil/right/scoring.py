def accuracy(net, loader):
    net.eval()
    right, seen = 0, 0
    for chains, family in loader:
        guess = net(chains).argmax(1)
        right += (guess == family).sum().item()
        seen += len(family)
    return right / seen
