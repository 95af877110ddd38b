# === one helper runs the network for the training and for the evaluation behind it, and nobody puts training mode back
import torch


def forward(net, batch):
    x, y = batch
    return torch.nn.functional.cross_entropy(net(x), y), net(x)  # <- validation-without-no-grad


def train_test(net, optimizer, train, held_out):
    for batch in train:
        optimizer.zero_grad()
        loss, _ = forward(net, batch)
        loss.backward()
        optimizer.step()
    net.eval()  # <- missing-train-mode
    right = 0
    for batch in held_out:
        _, scores = forward(net, batch)
        right += (scores.detach().argmax(-1) == batch[1]).sum().item()
    return right


def main(net, train, held_out):
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(10):
        print(epoch, train_test(net, optimizer, train, held_out))
# === the evaluation stands in the function that trains, and nobody puts training mode back
import torch


def main(net, train, held_out):
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(10):
        for x, y in train:
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(net(x), y).backward()
            optimizer.step()
        net.eval()  # <- missing-train-mode
        right = 0
        for x, y in held_out:
            right += (net(x).argmax(-1) == y).sum().item()  # <- validation-without-no-grad
        print(epoch, right)
# === right: the same helper, and the evaluation without gradients
import torch


def forward(net, batch):
    x, y = batch
    return torch.nn.functional.cross_entropy(net(x), y), net(x)


def train_test(net, optimizer, train, held_out):
    net.train()
    for batch in train:
        optimizer.zero_grad()
        loss, _ = forward(net, batch)
        loss.backward()
        optimizer.step()
    net.eval()
    right = 0
    with torch.no_grad():
        for batch in held_out:
            _, scores = forward(net, batch)
            right += (scores.argmax(-1) == batch[1]).sum().item()
    return right


def main(net, train, held_out):
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(10):
        print(epoch, train_test(net, optimizer, train, held_out))
# === right: it is trained in evaluation mode from the start, and measured by the same helper
import torch


def forward(net, batch):
    x, y = batch
    return torch.nn.functional.cross_entropy(net(x), y)


def main(net, train, held_out):
    optimizer = torch.optim.Adam(net.parameters())
    net.eval()
    for epoch in range(10):
        for batch in train:
            optimizer.zero_grad()
            forward(net, batch).backward()
            optimizer.step()
        for batch in held_out:
            print(epoch, forward(net, batch).item())
# === each epoch puts it into evaluation mode before it is trained, and what it says is measured in between
import torch


def forward(net, batch):
    x, y = batch
    return torch.nn.functional.cross_entropy(net(x), y)


def main(net, train, held_out):
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(10):
        net.eval()  # <- missing-train-mode
        for batch in held_out:
            print(epoch, forward(net, batch).item())
        for batch in train:
            optimizer.zero_grad()
            forward(net, batch).backward()
            optimizer.step()
