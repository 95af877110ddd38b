from registry import UPDATES


@UPDATES.add("plain")
def plain(optimizer):
    optimizer.step()
    optimizer.zero_grad()


@UPDATES.add("leafwise")
def leafwise(optimizer):
    for group in optimizer.param_groups:
        group["turns"] = group.get("turns", 0) + 1
    optimizer.step()
    optimizer.zero_grad()
