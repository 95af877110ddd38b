"""Names of numbers: windows, counters, lengths, losses and what weighs them."""

from __future__ import annotations

from gradlint.libraries.convention import Convention

WINDOW_NAME = Convention(
    r"(?i)accum|grad_?acc|micro|virtual|iter_?size|update_?freq|subdivision|batch_?split|n_?acc\b|num_?acc|acc_?steps"
    r"|backward_passes|update_(every|interval|period|steps)|steps_per_update|every_n",
    "how many micro-batches make one update",
    evidence="373 of 2173 files of the corpora",
    yes="accum_steps gradient_accumulation_steps grad_acc micro_batches virtual_batch update_freq subdivisions"
    " num_acc steps_per_update batch_split",
    no="window steps log_interval",
)
UPDATES_NAME = Convention(
    r"(?i)^(?!.*(accum|micro))(.*((?<!per_)(?<!lr_)updates?(?!_(lr|rate|freq|every|interval|period|step))(?![a-z])"
    r"|(num|max|total|warmup)_update_steps|update_steps_per_epoch|(?<![a-z])opt(im(izer)?)?_?steps))",
    "numbers that are counted in optimizer updates",
    evidence="tests/data/holes/schedules_in_updates.py",
    yes="updates total_updates num_update_steps_per_epoch optimizer_steps warmup_updates max_update num_update_steps"
    " numUpdates",
    no="total_steps max_steps updated epochs update_steps update_freq steps_per_update lr_update_epoch micro_updates"
    " adopt_steps",
)
OCCASION_NAME = Convention(
    r"(?i)(?<![a-z])(log(?!it)|print|disp(?!atch)|eval|val(?!ue)|test|show|vis)|report|save|saving|ckpt|checkpoint"
    r"|verbose|summary|plot|monitor|tensorboard|wandb",
    "how often something is logged, printed, drawn, evaluated or saved",
    evidence="the counts that 828 of 4279 files of the corpora ask for, of those that go backward",
    yes="log_interval print_freq logging_steps save_every_n_steps eval_every val_interval checkpoint_freq display_step",
    no="accum_steps update_freq n_critic interval dialog dispatch_every retrieval_steps blueprint logits value",
)
NOT_A_WINDOW = Convention(
    r"(?i)epoch|warm|max_|total|end_|_end|stop|limit|starts|start_(it|ep|st)|best|patience|delay|unroll|burn"
    r"|explor|min_",
    "numbers that a count is held against, and that are no windows",
    evidence="83 of 2173 files of the corpora",
    yes="early_stop warmup_steps max_steps patience burn_in learning_starts",
    no="accum steps",
)
NO_WINDOW = Convention(
    r"(?i)^(is|has|should|do|use|can|not|will)_|size$|loss|grad$",
    "names that hold a word for a window, and are flags, sizes or losses",
    evidence="6 of 2173 files of the corpora",
    yes="is_accumulating micro_batch_size accum_loss",
    no="accum_steps micro_batches",
)
MICRO_RANGE = Convention(
    r"(?i)^range\(.*(accum|micro|ga_steps|grad_acc)",
    "loops that say themselves that they count micro-batches",
    evidence="94 of 2173 files of the corpora",
    yes="range(gradient_accumulation_steps) range(micro) range(grad_acc)",
    no="range(10) range(epochs)",
)
INDEX_NAME = Convention(
    r"(?i)^(i|j|k|n|it|t|ni)$|idx|index|_i$|step$|iter$|iteration$|batch_?(no|num|n|nb)$",
    "what counts iterations",
    evidence="107 of 2173 files of the corpora",
    yes="i batch_idx index step global_step curr_iter",
    no="loss epochs",
)
EPOCH_NAME = Convention(
    r"(?i)epoch|^ep$",
    "what counts epochs",
    evidence="tests/lower/test_gates.py",
    yes="epoch num_epochs ep",
    no="step ep_len",
)
EPOCH_LENGTH_NAME = Convention(
    r"(?i)(^|_)(epoch_?len(gth)?|len_epoch|(n|num)_(train_)?batches|(batches|iters|iterations)_per_epoch)$",
    "the number of batches of an epoch",
    evidence="tests/fix/known_harm.py",
    yes="epoch_len len_epoch num_batches iters_per_epoch",
    no="epochs batch",
)
BATCH_SIZE_NAME = Convention(
    r"(?i)batch_?size$|^bs$",
    "the number of samples in a batch",
    evidence="tests/interpret/idioms.py, tests/interpret/alarms.py",
    yes="batch_size train_batchsize bs",
    no="batch sizes",
)
SAMPLES_NAME = Convention(
    r"(?i)batch|samples|(^|_|\.)bs$|^n$",
    "the number of samples, where it was not asked of the batch itself",
    evidence="the usual way to cut a batch: `range(0, batch_size, micro)`",
    yes="batch_size num_samples args.bs n",
    no="epochs steps",
)
PROCESSES_NAME = Convention(
    r"(?i)^(world_?size|num_replicas|n_?ranks|num_ranks)$",
    "the number of processes that train together",
    evidence="tests/data/holes/shares.py, tests/interpret/alarms.py",
    yes="world_size WORLD_SIZE num_replicas",
    no="rank world",
)
RATE_NAME = Convention(
    r"(?i)(?:^|_)(?:lr|learning_rate|lr_(?:init|min|max|start|end))$",
    "a learning rate that a project's own schedule is given",
    evidence="projects with a schedule of their own: 11 pass `lr`, some 30 `start_lr` or the like, 8 `learning_rate`",
    yes="lr start_lr learning_rate lr_min",
    no="decay_rate lr_decay",
)
LOSS_NAME = Convention(
    r"(?i)loss|^err|_err$|cost|objective|^j$|elbo|^nll|^bce|^kl$|^ce$|^l\d?$",
    "a loss, or a term of one",
    evidence="951 of 2173 files of the corpora",
    yes="loss err cost objective j elbo",
    no="lr output",
)
WEIGHT_NAME = Convention(
    r"(?i)scale|weight|norm|num_items|denominator|divisor",
    "keys under which a batch carries the weight of its loss",
    evidence="6 of 2173 files of the corpora",
    yes="loss_scale weights num_items_in_batch",
    no="input_ids labels",
)
OBJECTIVE_NAME = Convention(
    r"(?i)(^|_)(lambda|lambd|alpha|beta|gamma|temperature)(_|\d*$)|num_?(labels|classes)$|n_classes$|_(weight|coef"
    r"|coeff)$|^(weight|coef|coeff)_(?!\w*(batch|micro|window|accum|chunk|share|part|step|size|sum|total))\w+$",
    "constants that weigh a loss in an objective, and never the share of a micro-batch in its window",
    evidence="tests/data/holes/losses.py, tests/data/holes/made_gradients.py, tests/data/holes/weighed_by_options.py",
    yes="alpha lambda_gp num_labels temperature aux_weight weight_root coef_kl",
    no="accum_steps window weight weight_batch weight_of_share",
)
GRADIENT_NAME = Convention(
    r"(?i)grad|^g$",
    "a parameter's gradient, which is written to in place: `grad.mul_(coef)`",
    evidence="17 of 2173 files of the corpora",
    yes="grad grads flat_gradients g",
    no="x img",
)
MADE_NAME = Convention(
    r"(?i)(^|\.|\()(new_)?(ones|zeros|full|tensor|[a-z]+tensor|rand[a-z]*)(_like)?\(",
    "tensors of plain numbers: a gradient that is one has no scale",
    evidence="tests/data/holes/given_gradients.py",
    yes="torch.ones_like(loss) x.new_ones(3) torch.FloatTensor([1]).cuda()",
    no="receive(x) output.grad tensors",
)
NORM_NAME = Convention(
    r"(?i)grad.*norm|norm.*grad|total_?norm",
    "the norm of gradients",
    evidence="4 of 2173 files of the corpora",
    yes="grad_norm total_norm get_total_norm",
    no="layer_norm weight_norm",
)
LIMIT_NAME = Convention(
    r"(?i)^(max_?(grad(ient)?_?)?norm|(max_)?grad(ient)?s?_?(max_)?(clip|norm)(ping)?(_(value|norm|val))?"
    r"|clip_(grad(ient)?s?|norm|value)(_(norm|value))?)$",
    "the limit that gradients are clipped to, none where it is nought",
    evidence="10 of 357 repositories have one off by default in a signature: `max_norm`, `clip_grad`, `grad_clip`",
    yes="max_norm max_grad_norm grad_clip clip_grad gradient_clip_value grad_clipping clip_grad_norm",
    no="clip clip_reward relative_clip grad_scale layer_norm norm",
)
PLANNED_UPDATES_NAME = Convention(
    r"(?i)(^|_)(num|n|max|total)_(training_|train_|optimizer_|update_|opt_)?(steps|updates|iters)$|^t_max$",
    "what takes the number of updates to come, or of something that may go with these",
    evidence="296 of 1265 files that train: `T_max` in 179, `num_training_steps` in 38, `total_steps` in 16",
    yes="num_training_steps total_steps max_updates T_max num_steps",
    no="step_size num_warmup epochs steps",
)
