def shift(scaler, optimizer):
    scaler.step(optimizer)
    optimizer.zero_grad()


def idle(scaler, logbook):
    scaler.update()
    logbook.write(scale=scaler.get_scale())
