import torch
import torch.nn as nn
from ignite.engine import Events, create_supervised_evaluator, create_supervised_trainer
from ignite.handlers import ModelCheckpoint, TerminateOnNan
from ignite.metrics import Accuracy, Loss
from torch.optim.lr_scheduler import CosineAnnealingLR
from torch.utils.data import DataLoader

from plants.data import PlantVillage
from plants.model import MobileViT


def run(epochs=25, lr=3e-4):
    device = "cuda"
    train_loader = DataLoader(PlantVillage("train"), batch_size=64, shuffle=True, num_workers=4)
    val_loader = DataLoader(PlantVillage("val"), batch_size=128, num_workers=4)
    model = MobileViT(classes=38).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    criterion = nn.CrossEntropyLoss()
    scheduler = CosineAnnealingLR(optimizer, T_max=epochs * len(train_loader))

    trainer = create_supervised_trainer(model, optimizer, criterion, device=device)
    metrics = {"accuracy": Accuracy(), "nll": Loss(criterion)}
    evaluator = create_supervised_evaluator(model, metrics=metrics, device=device)

    @trainer.on(Events.ITERATION_COMPLETED)
    def move_schedule():
        scheduler.step()

    @trainer.on(Events.ITERATION_COMPLETED(every=100))
    def log(engine):
        print(f"[{engine.state.epoch}] {engine.state.iteration} loss {engine.state.output:.4f}")

    @trainer.on(Events.EPOCH_COMPLETED)
    def validate(engine):
        evaluator.run(val_loader)
        print(engine.state.epoch, evaluator.state.metrics)

    checkpoint = ModelCheckpoint("models", "plants", n_saved=2, require_empty=False)
    trainer.add_event_handler(Events.EPOCH_COMPLETED, checkpoint, {"model": model})
    trainer.add_event_handler(Events.ITERATION_COMPLETED, TerminateOnNan())
    trainer.run(train_loader, max_epochs=epochs)


if __name__ == "__main__":
    run()
