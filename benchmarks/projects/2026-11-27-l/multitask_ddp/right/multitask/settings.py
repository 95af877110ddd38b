GRAD_ACCUM = 4
EPOCHS = 3
BATCH = 8
LEARNING_RATE = 5e-3
TASK_WEIGHTS = {"regress": 1.0, "classify": 0.5}
