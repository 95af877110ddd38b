import paddle
import paddle.nn as nn
import paddle.nn.functional as F
from paddle.io import DataLoader
from paddle.vision.models import mobilenet_v3_small
from paddle.vision.transforms import Compose, RandomHorizontalFlip, Resize, ToTensor

from flowers import FlowersDataset


def evaluate(model, loader):
    model.eval()
    metric = paddle.metric.Accuracy()
    with paddle.no_grad():
        for image, label in loader:
            metric.update(metric.compute(model(image), label))
    model.train()
    return metric.accumulate()


def main(epochs=30, batch_size=32, accumulate=4):
    paddle.set_device("gpu")
    tf = Compose([Resize((224, 224)), RandomHorizontalFlip(), ToTensor()])
    train = DataLoader(FlowersDataset("train", tf), batch_size=batch_size, shuffle=True, drop_last=True)
    valid = DataLoader(FlowersDataset("valid", tf), batch_size=2 * batch_size)
    model = mobilenet_v3_small(num_classes=102)
    scheduler = paddle.optimizer.lr.CosineAnnealingDecay(learning_rate=0.01, T_max=epochs)
    optimizer = paddle.optimizer.Momentum(
        learning_rate=scheduler,
        momentum=0.9,
        parameters=model.parameters(),
        grad_clip=nn.ClipGradByGlobalNorm(clip_norm=1.0),
    )
    model.train()
    for epoch in range(epochs):
        for step, (image, label) in enumerate(train):
            loss = F.cross_entropy(model(image), label)
            (loss / accumulate).backward()
            if (step + 1) % accumulate == 0 or step + 1 == len(train):
                optimizer.step()
                optimizer.clear_grad()
        scheduler.step()
        print(f"epoch {epoch} loss {float(loss):.4f} acc {evaluate(model, valid):.4f}")
        paddle.save(model.state_dict(), "mobilenet.pdparams")


if __name__ == "__main__":
    main()
