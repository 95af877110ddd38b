class CFG:
    seed = 42
    folds = 2
    epochs = 2
    batch_size = 16
    gradient_accumulation_steps = 3
    lr = 1e-2
    max_grad_norm = 10.0
    scheduler = "cosine"
    print_freq = 3
