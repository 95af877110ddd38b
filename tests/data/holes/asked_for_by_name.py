# === a schedule by a function, by what the settings call it, may begin at 0
def train(model, loader, optimizer, criterion, scheduler, conf):
    for epoch in range(conf["epochs"]):
        if conf["use_scheduler"] and conf["kind"] == "lambda":
            scheduler.step()
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
# === so may one that warms up
def train(model, loader, optimizer, criterion, scheduler, conf):
    for epoch in range(conf["epochs"]):
        if conf["kind"] in ("cosine", "linear_warmup"):
            scheduler.step()
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
# === another schedule does not
def train(model, loader, optimizer, criterion, scheduler, conf):
    for epoch in range(conf["epochs"]):
        if conf["use_scheduler"] and conf["kind"] == "exponential":
            scheduler.step()  # <- scheduler-before-optimizer
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
# === nor does a function in sight whose first rate is 1
from torch.optim.lr_scheduler import LambdaLR


def train(model, loader, optimizer, criterion, conf):
    scheduler = LambdaLR(optimizer, lambda epoch: 0.9**epoch)
    for epoch in range(conf["epochs"]):
        if conf["kind"] == "lambda":
            scheduler.step()  # <- scheduler-before-optimizer
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
