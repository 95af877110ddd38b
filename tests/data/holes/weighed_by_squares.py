# === a term that is larger by the square of a temperature weighs the other, and nothing divides
import torch
import torch.nn.functional as F


def objective(pupil, x, y, soft, heat, share):
    logits = pupil(x)
    apart = F.kl_div((logits / heat).log_softmax(-1), soft, reduction="batchmean")
    return share * F.cross_entropy(logits, y) + (1 - share) * heat**2 * apart


def distil(pupil, batches, window=4):
    sgd = torch.optim.SGD(pupil.parameters(), lr=0.1)
    for number, (x, y, soft) in enumerate(batches, 1):
        objective(pupil, x, y, soft, heat=3.0, share=0.4).backward()  # <- unscaled-accumulation-loss
        if number % window == 0 or number == len(batches):
            sgd.step()
            sgd.zero_grad()

# === the same, divided
import torch
import torch.nn.functional as F


def objective(pupil, x, y, soft, heat, share):
    logits = pupil(x)
    apart = F.kl_div((logits / heat).log_softmax(-1), soft, reduction="batchmean")
    return share * F.cross_entropy(logits, y) + (1 - share) * heat**2 * apart


def distil(pupil, batches, window=4):
    sgd = torch.optim.SGD(pupil.parameters(), lr=0.1)
    for number, (x, y, soft) in enumerate(batches, 1):
        (objective(pupil, x, y, soft, heat=3.0, share=0.4) / window).backward()
        if number % window == 0 or number == len(batches):
            sgd.step()
            sgd.zero_grad()

# === each of its terms is divided by the window
import torch
import torch.nn.functional as F


def distil(pupil, batches, heat=4, window=4):
    sgd = torch.optim.SGD(pupil.parameters(), lr=0.1)
    for number, (x, y, soft) in enumerate(batches, 1):
        logits = pupil(x)
        apart = F.kl_div((logits / heat).log_softmax(-1), soft, reduction="batchmean")
        (F.cross_entropy(logits, y) / window + heat * heat * apart / window).backward()
        if number % window == 0 or number == len(batches):
            sgd.step()
            sgd.zero_grad()

# === a weight of a term that is a whole number with a name, divided by half the window
import torch
import torch.nn.functional as F


def fit(net, batches, cycle=10, window=8):
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    for number, (x, y) in enumerate(batches, 1):
        there, back = net(x)
        loss = F.mse_loss(there, y) + cycle * F.l1_loss(back, x)
        (loss / 4).backward()  # <- accumulation-divisor-mismatch
        if number % window == 0 or number == len(batches):
            sgd.step()
            sgd.zero_grad()

# === a weight of a term that is a whole number with a name, divided by the window
import torch
import torch.nn.functional as F


def fit(net, batches, cycle=10, window=8):
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    for number, (x, y) in enumerate(batches, 1):
        there, back = net(x)
        loss = F.mse_loss(there, y) + cycle * F.l1_loss(back, x)
        (loss / window).backward()
        if number % window == 0 or number == len(batches):
            sgd.step()
            sgd.zero_grad()

# === terms that are divided by different windows
import torch
import torch.nn.functional as F


def fit(net, batches, cycle=10, window=8, parts=2):
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    for number, (x, y) in enumerate(batches, 1):
        there, back = net(x)
        (F.mse_loss(there, y) / window + cycle * F.l1_loss(back, x) / parts).backward()
        if number % window == 0 or number == len(batches):
            sgd.step()
            sgd.zero_grad()
