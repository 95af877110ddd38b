import torch
from accelerate import Accelerator
from accelerate.utils import set_seed
from accelkit import accuracy, clipped_step
from textbits import BagClassifier, reviews

EPOCHS, WINDOW = 3, 4


def main():
    set_seed(1)
    accelerator = Accelerator(cpu=True, gradient_accumulation_steps=WINDOW)
    model = BagClassifier()
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-2)
    train, dev, test = reviews(256, 16, 0, shuffle=True), reviews(64, 32, 1), reviews(64, 32, 2)
    model, optimizer, train, dev, test = accelerator.prepare(model, optimizer, train, dev, test)

    for epoch in range(EPOCHS):
        model.train()
        for ids, y in train:
            with accelerator.accumulate(model):
                loss = torch.nn.functional.cross_entropy(model(ids), y)
                clipped_step(accelerator, loss, optimizer, model.parameters())
        with torch.no_grad():
            score = accuracy(accelerator, model, dev)
        accelerator.print(f"epoch {epoch} dev {score:.3f}")

    with torch.no_grad():
        accelerator.print(f"test {accuracy(accelerator, model, test):.3f}")


if __name__ == "__main__":
    main()
