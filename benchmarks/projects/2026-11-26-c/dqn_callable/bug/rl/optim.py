def plain(optimizer):
    def apply():
        optimizer.step()
    return apply


def annealed(optimizer, scheduler):
    def apply():
        optimizer.zero_grad()
        optimizer.step()
        scheduler.step()
    return apply
