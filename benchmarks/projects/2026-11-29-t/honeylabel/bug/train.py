"""Which meadow a jar of honey comes from."""
from jars import *
from toolkit import *
from updates import *


def main(epochs=4):
    seed_all(0)
    model = HoneyNet()
    params = trainable(model)
    optimizer = make_optimizer(params)
    jars = list(shelf(10))
    for epoch in range(epochs):
        model.train()
        total = 0.0
        for pollen, meadow in jars:
            loss = label_loss(model(pollen), meadow)
            loss.backward()
            update(optimizer, params)
            total += loss.item()
        print(epoch, round(total / len(jars), 4))


if __name__ == "__main__":
    main()
