# Exercise 4: a VAE that finds broken pumps
from helpers import *
from nets import *
from tracker import Tracker

WINDOW = 3
EPOCHS = 3
BATCHES = 12


def elbo(net, x, tracker):
    mean, logvar = net.encode(x)
    code = mean + torch.randn_like(mean) * (0.5 * logvar).exp()
    rebuilt = (net.decode(code) - x).pow(2).mean()
    kl = 0.5 * (mean.pow(2) + logvar.exp() - 1 - logvar).mean()
    tracker.add(rebuilt=rebuilt, kl=kl)
    return rebuilt + 0.1 * kl


torch.manual_seed(17)
vae = make_vae(20, 4)
optimizer = torch.optim.SGD(vae.parameters(), lr=0.2, momentum=0.5)
tracker = Tracker()

for epoch in range(EPOCHS):
    for number, x in enumerate(vibrations(BATCHES), start=1):
        push(elbo(vae, x, tracker), vae)
        if number % WINDOW == 0 or number == BATCHES:
            finish_window(vae, optimizer)
    print("epoch", epoch, tracker.take())

print("threshold", anomaly_threshold(vae, vibrations(4)))
