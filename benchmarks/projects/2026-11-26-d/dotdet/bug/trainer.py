import comm


def train_one_epoch(model, criterion, optimizer, data, accum):
    model.train()
    optimizer.zero_grad()
    total = 0.0
    for i, (image, kind, centre) in enumerate(data):
        boundary = (i + 1) % accum == 0 or i + 1 == len(data)
        outputs = model(image)
        loss = criterion(outputs, kind, centre)
        comm.backward(model, loss, local=not boundary)
        total += loss.item()
        if boundary:
            optimizer.step()
            optimizer.zero_grad()
    return total
