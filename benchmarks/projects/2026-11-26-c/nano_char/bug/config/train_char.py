eval_interval = 8
gradient_accumulation_steps = 3
report_gradients = True
max_iters = 24
dropout = 0.2
