"""Names of calls: what they may do to gradients, and what they leave alone."""

from __future__ import annotations

from gradlint.libraries.convention import Convention

INVARIANT_CALL = Convention(
    r"(?i)^(is|has|use|get|should_use|supports|can|are|need)_|^is[a-z]|^(getattr|hasattr|len|int|bool|str|float|max"
    r"|min|round|ceil|floor|get|keys|lower|upper|startswith|endswith|cuda|device_count|world_size|rank|local_rank|parse_args"
    r"|environ|getenv)$",
    "calls that give the same answer in every iteration",
    evidence="856 of 2173 files of the corpora",
    yes="is_main_process hasattr len int parse_args get_world_size",
    no="step draw",
)
HOOK_NAME = Convention(
    r"(?i)callback|hook|(^|[._])on_[a-z]|call_event|fire|dispatch|trigger|emit|notify|extension",
    "calls that run code nobody can see here",
    evidence="44 of 2173 files of the corpora",
    yes="callback call_hook on_batch_end fire_event dispatch _emit",
    no="step only",
)
TOUCH_NAME = Convention(
    r"(?i)(^|_)(step|steps|zero|clip|unscale|optimi[sz]e|optim|optimizer|backward|backprop|grad|grads|gradient"
    r"|gradients|update|average|sync|reduce|accumulate|train|fit|learn)(_|$)",
    "calls that may touch gradients when they cannot be followed",
    evidence="247 of 2173 files of the corpora",
    yes="step clip_grads optimizer_update sync_grads train_one",
    no="log plot steplr",
)
HARMLESS = Convention(
    r"(?i)save|load|state|log(?!it)|print|lr|learning_rate|sched|freeze|build|make|create|init|resume|checkpoint"
    r"|ckpt|^get|^set_|^requires_grad_$|write|record|plot|eval|valid|test|summar|count|dump|to_device|report"
    r"|metric|meter|display|wandb|tensorboard|watch|context|histor|optim(izer)?s?_to(_|$)|_to_(cpu|gpu|cuda)",
    "calls that leave gradients alone",
    evidence="679 of 2173 files of the corpora",
    yes="save_checkpoint load_state log_metrics print_lr build_model evaluate optimizer_to",
    no="step train",
)
ASKED_HARMLESS = Convention(
    r"(?i)save|load|state|log|print|(^|_)lr(_|$)|learning_rate|sched|resume|checkpoint|ckpt|^get|^set_|write"
    r"|record|plot|eval|valid|build|make|create|init|adjust|group|count|prepare|setup|wrap|append|add_|instantiate"
    r"|timer",
    "calls that may well be given an optimizer, and have no part in an update",
    evidence="tests/check/sight/loops.py",
    yes="save_checkpoint log_progress set_lr adjust_learning_rate",
    no="step train",
)
PUTS_WEIGHTS = Convention(
    r"(?i)^(set|load|restore|assign|reset)_?\w*(param(eter)?s?|weights?|state_dict)$",
    "methods that put other weights into a network",
    evidence="load_state_dict 5874, set_parameters 38, set_weights 12 times in 465 repositories",
    yes="load_state_dict set_params restore_original_weights load_weights",
    no="parameters state_dict reset_parameters_hook get_weights",
)
GATHERS = Convention(
    r"(?i)meter|metric|loss|acc(uracy)?(_|$)|avg|average|top_?\d|stats?(_|$)|timer?(_|$)|bar$|progress|logs?(_|$)"
    r"|_m$",
    "owners whose `update` takes numbers in: averages, logs, progress bars",
    evidence="42 of 2173 files of the corpora",
    yes="meter metric_logger losses run_acc top5 progress_bar",
    no="model optimizer",
)
RUNS = Convention(
    r"(?i)train|engine|learn|runner|solver|loop|fit|optim|accum|manager|handler|session|agent|algo",
    "classes that work with the optimizer they are given; others (an EMA, an attack) keep it until they are called",
    evidence="6 of 2173 files of the corpora",
    yes="Trainer FP16_Optimizer SessionManager",
    no="EMA FGM",
)
ATTACKS = Convention(
    r"(?i)(^|_)(zero|unscale|backward|backprop|grads?|gradients?|accumulate|attack|perturb|train|fit|learn)(_|$)",
    "methods of an object that keeps the optimizer: more than a schedule's or an average's",
    evidence="tests/data/holes/attackers.py",
    yes="attack_backward zero_grad perturb",
    no="step update",
)
SETS_RATE = Convention(
    r"(?i)warm_?up|adjust|anneal",
    "calls that set a learning rate",
    evidence="tests/interpret/alarms.py, tests/interpret/test_habits.py",
    yes="warm_up adjust_learning_rate anneal",
    no="step update",
)
SPENDS = Convention(
    r"(?i)(^|_)(step|apply|optimi[sz]e|train|fit|learn|update)(_|$)",
    "calls that may spend gradients, whatever part of an update they are named after",
    evidence="tests/interpret/alarms.py",
    yes="step apply_gradients optimize after_update",
    no="steps clip",
)
TELLS_EPOCH = Convention(
    r"(?i)(^|_)(epoch|seed|reseed|reshuffle|shuffle)(_|$)",
    "calls that are given a loader, and no network, and may tell its sampler the epoch",
    evidence="tests/interpret/alarms.py",
    yes="sampler_set_epoch shuffle_dataset begin_epoch",
    no="epochs next",
)
REDUCES_OR_GATHERS = Convention(
    r"(?i)^(a?sync_?)?(all_?)?(reduce|gather)",
    "a call nobody sees that is given something of all ranks, however the project spells it",
    evidence="what projects call their wrappers of torch.distributed",
    yes="all_reduce AllReduce sync_reduce reduce_loss gatherTensors",
    no="step is_reduced",
)
COLLECTIVE = Convention(
    r"^(all_?)?(reduce|gather)(_\w+)?_?$",
    "a collective of torch.distributed",
    evidence="83 of 2173 files of the corpora",
    yes="all_reduce all_gather reduce_scatter gather",
    no="reduction gathered",
)
AVERAGES = Convention(
    r"(?i)model_?averager|post_?local_?sgd|(average|reduce|sync(hroni[sz]e)?)_?(param|model|weight|grad|net)",
    "calls that average networks or gradients over ranks",
    evidence="20 of 2173 files of the corpora",
    yes="average_gradients sync_params allreduce_params get_average_model",
    no="average_loss sync",
)
OF_NETWORK = Convention(
    r"(?i)param|weight|grad|state_dict|buffer|flat|bucket|vector|delta",
    "what a collective is given that averages a network by hand",
    evidence="5 of 2173 files of the corpora",
    yes="params grads flat bucket state_dict",
    no="loss acc",
)
OF_MODULE = Convention(
    r"(?i)param|weight|grad|state_dict|module|model",
    "what the tensors that are averaged are taken from",
    evidence="108 of 2173 files of the corpora",
    yes="parameters weights grads state_dict model",
    no="losses metrics",
)
BACKWARD_NAME = Convention(
    r"(?i)(^|_)backward(_?(func|fn|function))?$",
    "functions that run backward",
    evidence="31 of 2173 files of the corpora",
    yes="backward manual_backward backward_fn",
    no="backwards_compatible step",
)
BACKWARDS = Convention(
    r"(?i)back_?ward|back_?prop|(^|_)bp$|(compute|calc|get|accumulate)_grad(ient)?s?$|minimi[sz]e",
    "calls that could be a backward nobody saw",
    evidence="5 of 2173 files of the corpora",
    yes="forward_backward_step backprop compute_grads minimize",
    no="forward step",
)
ZERO_NAME = Convention(
    r"(?i)(zero|reset|clear)_?grads?(ients?)?$",
    "functions that clear gradients",
    evidence="3 of 2173 files of the corpora",
    yes="zero_grads zeroGradients reset_grad",
    no="zeros reset",
)
CLEARS = Convention(
    r"(?i)(^|_)(zero|reset|clear)(_|$).*grad|zero_grad",
    "calls that could clear gradients nobody saw",
    evidence="tests/check/sight/loops.py",
    yes="zero_all_grads zero_grad",
    no="zero reset_state",
)
STEPS = Convention(
    r"(?i)(^|_)optimi[sz]e(_|$)|optim(izer)?s?_step|step_optim|(^|_)apply_grad|update_(param|weight|model|net)",
    "calls that could be a step nobody saw",
    evidence="tests/check/sight/loops.py",
    yes="optimize optimizer_step apply_gradients update_params",
    no="steps optimizer",
)
UPDATES = Convention(
    r"(?i)(^|_)(update|step|optimi[sz]e|train|learn|minimi[sz]e|backward|backprop|fit)(_|$)",
    "calls that could be a whole update nobody saw",
    evidence="12 of 2173 files of the corpora",
    yes="update train_step backward_and_step fit",
    no="log updates",
)
NOT_STEPPED = Convention(
    r"(?i)env|sched|prof|bar$|progress|tqdm|timer|warm|epoch|sim(ulat|$)|world|game|robot|logger|meter|ema$|wandb"
    r"|agent|runner",
    "what else has a method `step`",
    evidence="environments, torch.profiler, bars, and schedules of other names",
    yes="env scheduler profiler progress_bar simulator",
    no="opt solver",
)
LOSS_FUNCTION = Convention(
    r"(?i)\bfunctional\.|cross_entropy|_loss$|criterion|loss_f",
    "functions that return a loss",
    evidence="75 of 2173 files of the corpora",
    yes="torch.nn.functional.softmax mse_loss criterion cross_entropy",
    no="model accuracy",
)
OTHER_SWITCHES = Convention(
    r"(?i)(ctc|poisson|gaussian|triplet)\w*$",
    "losses whose first switch by place is another one: whether the input is a logarithm, whether to swap",
    evidence="torch.nn.functional",
    yes="nn.CTCLoss poisson_nll_loss TripletMarginLoss",
    no="mse_loss cross_entropy",
)
HOLDS = Convention(
    r"(?i)(?<!un)(?<!un_)(freez|frozen)|(bn|norm)\w*_?eval|eval_?\w*(bn|norm)|fix_?(bn|norm)",
    "functions that keep parts of a network as they are, in evaluation mode perhaps",
    evidence="29 of some 157 training repositories define one: freeze, _freeze_stages, freeze_bn, fix_bn; set_bn_eval",
    yes="freeze freeze_bn set_bn_eval _freeze_stages fix_bn",
    no="unfreeze unfrozen evaluate norm",
)
EVALUATES = Convention(
    r"(?i)valid|eval|test|score|metric|accuracy|(?-i:[a-z]Acc)(?![a-z])|(^|_)acc(_|$)|assess|_dev|dev_",
    "functions that evaluate: a rollout, say, may have its mode on purpose",
    evidence="22 of 2173 files of the corpora; `acc` in 43 of 11050 files of 189 repositories, of accuracy in each",
    yes="validate evaluate test_epoch score accuracy get_acc checkAcc",
    no="train fit access grad_accum toAccelerator",
)
TRAINS = Convention(
    r"(?i)train|fit|learn",
    "functions that train as well as evaluate",
    evidence="one function for both: `train_and_validate`",
    yes="train_and_validate fit learn",
    no="evaluate validate",
)
DRAWS = Convention(
    r"(?i)sample|image|visual|plot|draw|show|demo|generate",
    "functions that show what a model makes of a handful of inputs",
    evidence="7 of 2173 files of the corpora",
    yes="sample visualize generate plot_samples",
    no="validate evaluate",
)
FEW = Convention(
    r"(?i)shot|support|episode",
    "the few samples of a task, from which a network may learn before it answers",
    evidence="tests/interpret/alarms.py",
    yes="model(data_shot) model(support,query)",
    no="model(x) net(image)",
)
ADAPTS = Convention(
    r"(?i)fast_weights|inner_(loop|lr|steps)|adapt|(?<!teach_)(?<!teacher_)(?<!teacher)force|stress|virial",
    "what a network is given that learns before it answers, or answers with a gradient",
    evidence="tests/interpret/alarms.py",
    yes="model(x,fast_weights) forces(x)",
    no="model(x) net(image) model(x,teacher_force)",
)
ON_INPUTS = Convention(
    r"(?i)attack|fgsm|(^|[_.])pgd",
    "what is called like a network, and works with the gradients of its input",
    evidence="two files of the forty-sixth corpus; an attack of an option in the thirty-second",
    yes="test_attack self.attacker PGD",
    no="model critic",
)
RESCALES = Convention(
    r"(?i)clip|norm|noise|check|scale",
    "the part of an update that scales gradients",
    evidence="4 of 2173 files of the corpora",
    yes="clip_gradients add_noise rescale",
    no="zero step",
)
TAKES_AWAY = Convention(
    r"(?i)zero|clear",
    "the part of an update that clears gradients",
    evidence="tests/interpret/alarms.py, tests/check/sight/loops.py",
    yes="zero_grad_all clear_gradients",
    no="clip step",
)
REDUCES = Convention(
    r"(?i)reduce|sync|average",
    "the part of an update that all-reduces gradients",
    evidence="tests/data/holes/shares.py",
    yes="reduce_gradients sync_params average_grads",
    no="clip step",
)
TELLS = Convention(
    r"(?i)^(print|write|record|info|debug|warning|log|log_(?!prob|softmax|sigmoid)\w+|add_scalars?|set_postfix\w*"
    r"|set_description\w*)$",
    "calls that only tell somebody something",
    evidence="1123 of 1265 files that train, `record` in 5 of them",
    yes="print write record info log log_metrics add_scalar set_postfix set_description_str",
    no="append update step log_prob tick",
)
PICKS = Convention(
    r"(?i)^(next|getattr|pop|popleft|popitem|islice|get_submodule|filter(false)?|takewhile|dropwhile|compress"
    r"|(symmetric_)?difference|intersection)$|(^|_)(choices?|choose|pick(ed)?|samples?|draw|select|random)(_|$)",
    "calls that give one of several, or some",
    evidence="random, numpy.random, itertools, torch.nn.Module.get_submodule",
    yes="choice random_choice sample pick_layer next getattr select get_submodule filter compress difference",
    no="unwrap_model get_model children values resample union filter_bank",
)
