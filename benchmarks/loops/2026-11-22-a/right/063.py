import argparse

import tensorflow as tf

from deeplab_tf.data import cityscapes
from deeplab_tf.model import DeepLabV3Plus


class PolyDecay(tf.keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, base, total, power=0.9):
        self.base, self.total, self.power = base, total, power

    def __call__(self, step):
        fraction = tf.minimum(tf.cast(step, tf.float32) / self.total, 1.0)
        return self.base * tf.pow(1.0 - fraction, self.power)


def main(args):
    train = cityscapes(args.root, "train", args.batch).repeat()
    model = DeepLabV3Plus(classes=19)
    optimizer = tf.keras.optimizers.SGD(PolyDecay(args.lr, args.steps), momentum=0.9)
    loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True, ignore_class=255)
    mean = tf.keras.metrics.Mean()

    @tf.function
    def train_step(images, labels):
        with tf.GradientTape() as tape:
            logits = model(images, training=True)
            loss = loss_fn(labels, logits)
        gradients = tape.gradient(loss, model.trainable_variables)
        gradients, norm = tf.clip_by_global_norm(gradients, args.clip)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        mean.update_state(loss)
        return norm

    for step, (images, labels) in enumerate(train.take(args.steps)):
        norm = train_step(images, labels)
        if step % 100 == 0:
            print(f"{step} loss {mean.result():.4f} norm {norm:.3f}")
            mean.reset_state()
    model.save_weights("deeplab.weights.h5")


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--root", default="/data/cityscapes")
    p.add_argument("--batch", type=int, default=8)
    p.add_argument("--lr", type=float, default=0.01)
    p.add_argument("--steps", type=int, default=90_000)
    p.add_argument("--clip", type=float, default=5.0)
    main(p.parse_args())
