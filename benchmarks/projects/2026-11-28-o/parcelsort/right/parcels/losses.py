def routing_loss(net, criterion, batch, trainer):
    parcel, chute = batch
    loss = criterion(net(parcel), chute)
    return trainer.weight * loss / trainer.micro_batches
