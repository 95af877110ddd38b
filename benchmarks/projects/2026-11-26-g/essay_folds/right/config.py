class CFG:
    seed = 42
    n_fold = 3
    trn_fold = [0, 1]
    epochs = 2
    batch_size = 8
    gradient_accumulation_steps = 4
    max_grad_norm = 1.0
    lr = 2e-3
    vocab = 120
    max_len = 24
