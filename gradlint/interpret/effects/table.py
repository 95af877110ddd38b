"""The table of effects: what carries each action out."""

from __future__ import annotations

from gradlint.interpret.effects.amp import MIXED_PRECISION
from gradlint.interpret.effects.construction import CONSTRUCTION
from gradlint.interpret.effects.containers import CONTAINERS
from gradlint.interpret.effects.contexts import CONTEXTS
from gradlint.interpret.effects.distributed import DISTRIBUTED
from gradlint.interpret.effects.forwards import FORWARDS
from gradlint.interpret.effects.frameworks import FRAMEWORKS
from gradlint.interpret.effects.gradients import GRADIENTS
from gradlint.interpret.effects.launches import LAUNCHES
from gradlint.interpret.effects.meters import METERS
from gradlint.interpret.effects.numbers import NUMBERS
from gradlint.interpret.effects.settings_files import SETTINGS_FILES
from gradlint.interpret.effects.steps import STEPS
from gradlint.interpret.effects.use import Actions
from gradlint.interpret.told import told_clear, told_end, told_step, told_update, told_wrap
from gradlint.model.effects import Action

ALL: Actions = {
    **FORWARDS,
    **DISTRIBUTED,
    **MIXED_PRECISION,
    **GRADIENTS,
    **FRAMEWORKS,
    **STEPS,
    **CONTEXTS,
    **CONSTRUCTION,
    **CONTAINERS,
    **METERS,
    **NUMBERS,
    **LAUNCHES,
    **SETTINGS_FILES,
    Action.TOLD_END: told_end,
    Action.TOLD_STEP: told_step,
    Action.TOLD_UPDATE: told_update,
    Action.TOLD_CLEAR: told_clear,
    Action.TOLD_WRAP: told_wrap,
}
