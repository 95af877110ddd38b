"""Names of objects, and of what is none."""

from __future__ import annotations

from gradlint.libraries.convention import Convention
from gradlint.model.roles import Role

SCHEDULER_NAME = Convention(
    r"(?i)sched|^lr_?(warmup|decay)|^warmup$|^lr_lambda$|plateau",
    "a learning rate scheduler",
    evidence="617 of 2173 files of the corpora",
    yes="lr_scheduler scheduler warmup lr_lambda plateau_lr",
    no="lr_max epochs",
)
SCALER_NAME = Convention(
    r"(?i)^(grad|amp|gradient|fp16|native)?_?scaler(_?[a-z0-9]{1,8})?$|^(.*_)?(grad_?|amp_)scaler$",
    "a gradient scaler",
    evidence="31 of 2173 files of the corpora",
    yes="scaler grad_scaler amp_scaler fp16_scaler scaler_d",
    no="scale standard_scaler_path",
)
LOSS_SCALER_NAME = Convention(
    r"(?i)^loss_?scaler$",
    "timm's scaler, which is called",
    evidence="16 of 2173 files of the corpora",
    yes="loss_scaler lossScaler",
    no="scaler loss_scale",
)
OPTIMIZER_NAME = Convention(
    r"(?i)^(.*_)?(optim|optimizer|optimiser)s?(_?[a-z0-9]{1,14}){0,2}$|^[a-z0-9]{1,16}_?(optim|optimizer"
    r"|optimiser)s?$",
    "an optimizer",
    evidence="1873 of 2173 files of the corpora",
    yes="optimizer optim optimizer_G d_optimizer optimizers",
    no="options optional_kwargs_of_it",
)
SHORT_OPTIMIZER_NAME = Convention(
    r"(?i)^(.*_)?opts?(_(?!(?:in|out)$)[a-z0-9]{1,14}|g|d|gen|disc|dis|actor|critic|policy|q|v|\d)?$",
    "an optimizer, by its short name; it has to be used like one, too",
    evidence="64 of 2173 files of the corpora, and tests/data/holes/short_names.py",
    yes="opt optG opt_d opt_c opt_critic opt_head opt2",
    no="option optc opt_in opt_out opt_in_the_end",
)
ENGINE_NAME = Convention(
    r"^(model_)?engine$|^(.*_)?model_engine$",
    "DeepSpeed's engine",
    evidence="26 of 2173 files of the corpora",
    yes="engine model_engine",
    no="engines search_engine",
)
ACCELERATOR_NAME = Convention(
    r"(?i)^(.*_)?accelerator$",
    "Accelerate's accelerator",
    evidence="75 of 2173 files of the corpora",
    yes="accelerator self_accelerator",
    no="accelerate accelerators",
)
FABRIC_NAME = Convention(
    r"(?i)^fabric$",
    "Fabric",
    evidence="33 of 2173 files of the corpora",
    yes="fabric",
    no="fabrics my_fabric",
)
EMA_NAME = Convention(
    r"(?i)^(.*_)?(ema|ema_model|model_ema|ema_net|averager)$",
    "an average of a network",
    evidence="39 of 2173 files of the corpora",
    yes="ema model_ema ema_model averager",
    no="schema ema_decay",
)
SAMPLER_NAME = Convention(
    r"(?i)^(.*_)?sampler$",
    "a sampler of batches",
    evidence="134 of 2173 files of the corpora",
    yes="sampler train_sampler batch_sampler",
    no="samples resample",
)
LOADER_NAME = Convention(
    r"(?i)loaders?(_[a-z0-9]{1,6})?$|^(train|val|test)?_?dl$|^(train|training)_(data|iter|batches)$",
    "a loader of batches",
    evidence="939 of 2173 files of the corpora",
    yes="train_loader dataloader val_dl train_batches",
    no="load_state dataset",
)
CRITERION_NAME = Convention(
    r"(?i)^(.*_)?(criterion|loss_?fn|loss_?func(tion)?|objective)(_.*)?$",
    "a loss function",
    evidence="504 of 2173 files of the corpora",
    yes="criterion loss_fn get_loss_function objective",
    no="loss losses",
)
MODEL_NAME = Convention(
    r"(?i)^(.*_)?(model|models|network|net|nets|generator|discriminator|actor|critic|policy|module|encoder"
    r"|decoder|backbone|unet|vae|transformer|classifier|gan)(_?(g|d|a|b|\d|gen|disc|engine|module"
    r"|without_ddp|ddp)){0,2}$",
    "a network",
    evidence="1879 of 2173 files of the corpora",
    yes="model net generator policy_net netD model_without_ddp q_network",
    no="model_name remodel",
)
STUDENT_NAME = Convention(
    r"(?i)^(?!((y_?)?pred|out|logit|feat|emb|loss|prob|acc)[a-z]*_|[fhpqxyz]_)(.*_)?(student"
    r"|teacher)(_?(model|net|network|engine|module|without_ddp|ddp|\d)){0,2}$",
    "a network of distillation; what it puts out is named after it, too",
    evidence="32 of 2173 files of the corpora",
    yes="student teacher student_model ema_teacher",
    no="logits_student feat_teacher",
)
SHORT_MODEL_NAME = Convention(
    r"^(net|model)_?[A-Z]\w?$|^[GD](_[AB]{1,2})?$",
    "a network by one letter, or two networks apart by one",
    evidence="29 of 2173 files of the corpora",
    yes="D G G_AB D_A netG",
    no="network_x d net_x1 D_ABC",
)

NAME_HINTS = (
    (SCHEDULER_NAME, Role.SCHEDULER),
    (SCALER_NAME, Role.SCALER),
    (LOSS_SCALER_NAME, Role.SCALER_CALLABLE),
    (OPTIMIZER_NAME, Role.OPTIMIZER),
    (SHORT_OPTIMIZER_NAME, Role.OPTIMIZER),
    (ENGINE_NAME, Role.ENGINE),
    (ACCELERATOR_NAME, Role.ACCELERATOR),
    (FABRIC_NAME, Role.FABRIC),
    (EMA_NAME, Role.EMA),
    (SAMPLER_NAME, Role.SAMPLER),
    (LOADER_NAME, Role.LOADER),
    (CRITERION_NAME, Role.CRITERION),
    (MODEL_NAME, Role.MODEL),
    (STUDENT_NAME, Role.MODEL),
    (SHORT_MODEL_NAME, Role.MODEL),
)
"""First match wins. A hint is the weakest evidence: constructor, annotation and protocol beat it."""

CONFIG_NAME = Convention(
    r"(?i)^(args?|cfg|conf|configs?|opts?|options?|hparams?|hps?|params|flags|settings?|train_cfg|training_args)$",
    "settings, whose attributes are numbers, flags and names",
    evidence="tests/lower/test_module.py, tests/data/holes/flags_on_settings.py",
    yes="args cfg conf config opt options",
    no="model config_file",
)
NOT_AN_OBJECT = Convention(
    r"(?i)^(n|num|nb|max|min|use|is|has|no|lr|with|log|print|save|load|do|should|build|get|make|create|setup|init"
    r"|new|define)_|_(lr|steps?|every|interval|iters?|freq|dim|dims|size|name|names|path|dir|type|kwargs|config"
    r"|cfg|conf|args|params?|parameters|class|cls|fn|func|state|states|dict|weights?|ckpt|id|ids|idx|index|loss"
    r"|losses|score|scores|output|outputs|out|grads?|inputs?|factor|gamma|epoch|epochs|cost|lambda|coef"
    r"|weight_decay|mode|flag|str|key|keys|period|delay|ratio|file|url|hidden|features?)$",
    "numbers, flags and paths, whatever role a part of the name suggests",
    evidence="2163 of 2173 files of the corpora",
    yes="num_models use_scaler optimizer_state model_name lr_scheduler_step",
    no="optimizer model_g",
)
NO_NETWORK = Convention(
    r"^(?:object|ABC|Protocol|Function|Generic|NamedTuple|Enum|Dataset)$|Loss$|Criterion$|Strategy$|Mixin$",
    "bases of what has a `forward` and is no network, or perhaps none",
    evidence="tests/interpret/test_roles.py",
    yes="Function FocalLoss LossMixin",
    no="Module nn.Sequential",
)
PLAIN_BASE = Convention(
    r"^(object|abc\.|ABC$|Protocol|Generic|typing\.|enum\.|torch\.|nn\.)|Module$|Mixin$",
    "bases whose methods touch no gradients",
    evidence="the names in abc, typing, enum and torch",
    yes="abc.ABC nn.Module LightningModule TrainerMixin",
    no="Trainer Engine Callback",
)
HOOKS_NAME = Convention(
    r"(?i)^_?(call_?backs|cbs|hooks|plugins|extensions|listeners)$",
    "lists of objects that each do a part of the work when they are called",
    evidence="4 of 2173 files of the corpora",
    yes="callbacks hooks _hooks plugins",
    no="hook models",
)
