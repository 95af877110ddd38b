def plain(optimizer):
    def apply():
        optimizer.step()
        optimizer.zero_grad()
    return apply


def annealed(optimizer, scheduler):
    def apply():
        optimizer.step()
        optimizer.zero_grad()
        scheduler.step()
    return apply
