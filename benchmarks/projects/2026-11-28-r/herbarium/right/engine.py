from torch.nn.functional import cross_entropy

from schedules import advance


def press_all(net, sheets, optimizer, update, schedule):
    net.train()
    total = 0.0
    for sheet, species in sheets:
        loss = cross_entropy(net(sheet), species)
        loss.backward()
        update(optimizer)
        rate = advance(schedule)
        total += loss.item()
    return total / len(sheets), rate
