def descend(opt, loss):
    loss.backward()
    opt.step()
    opt.zero_grad()
    return loss.item()
