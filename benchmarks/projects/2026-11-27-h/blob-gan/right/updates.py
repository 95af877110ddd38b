def descend(opt, loss):
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()
