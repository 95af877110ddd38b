from mlm.objective import masked_lm_loss
from mlm.parallel import process_group, window_sync

__all__ = ["masked_lm_loss", "process_group", "window_sync"]
