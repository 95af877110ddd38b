import functools

import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import linen as nn
from flax.training import train_state
from torch.utils.data import DataLoader
from torchvision.datasets import MNIST


class CNN(nn.Module):
    @nn.compact
    def __call__(self, x, train: bool):
        for width in (32, 64):
            x = nn.Conv(width, (3, 3))(x)
            x = nn.relu(x)
            x = nn.avg_pool(x, (2, 2), strides=(2, 2))
        x = x.reshape((x.shape[0], -1))
        x = nn.Dropout(0.5, deterministic=not train)(x)
        return nn.Dense(10)(x)


def numpy_collate(batch):
    images, labels = zip(*batch)
    return np.stack([np.asarray(i, dtype=np.float32)[..., None] / 255 for i in images]), np.array(labels)


def create_state(rng, lr, accumulate):
    model = CNN()
    params = model.init(rng, jnp.ones((1, 28, 28, 1)), train=False)["params"]
    optimizer = optax.MultiSteps(optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(lr)), accumulate)
    return train_state.TrainState.create(apply_fn=model.apply, params=params, tx=optimizer)


@functools.partial(jax.jit, donate_argnums=0)
def train_step(state, images, labels, rng):
    def loss_fn(params):
        logits = state.apply_fn({"params": params}, images, train=True, rngs={"dropout": rng})
        return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss


def main(epochs=10, accumulate=4):
    rng = jax.random.PRNGKey(0)
    loader = DataLoader(MNIST("data", download=True), 128, shuffle=True, collate_fn=numpy_collate, drop_last=True)
    state = create_state(rng, 1e-3, accumulate)
    for epoch in range(epochs):
        total = 0.0
        for images, labels in loader:
            rng, key = jax.random.split(rng)
            state, loss = train_step(state, images, labels, key)
            total += loss
        print(epoch, float(total) / len(loader))


if __name__ == "__main__":
    main()
