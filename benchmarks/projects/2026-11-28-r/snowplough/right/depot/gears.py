def shift(scaler, optimizer):
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad()


def idle(scaler, logbook):
    logbook.write(scale=scaler.get_scale())
