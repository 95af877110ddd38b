"""All the numbers of homework 3 in one place."""

SEED = 3
N_TRAIN = 160
N_TEST = 64
BATCH_SIZE = 8
ACCUM_STEPS = 4
EPOCHS = 4
LR = 0.3
