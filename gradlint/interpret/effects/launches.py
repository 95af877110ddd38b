"""Launchers: a function is run in processes of its own, each with its rank.

mp.spawn(worker, args=(options,), nprocs=gpus)    worker(rank, options), in each of them
"""

from __future__ import annotations

from gradlint.interpret.effects.use import Actions, Use
from gradlint.interpret.functions import invoke
from gradlint.interpret.results import unknown_result
from gradlint.interpret.values import Routine, Series, Value
from gradlint.model.effects import Action, Launches
from gradlint.model.program import Const, Parameter


def _launch(use: Use) -> Value:
    """One of the processes; where nobody can see what it is given, its function is none that is called here."""
    options = use.options(Launches)
    target, given = use.arg(0, "fn"), use.arg(options.args, "args", Series([], "tuple"))
    if target is None:
        target = use.keywords.get("function")
    if not isinstance(target, Routine) or not isinstance(given, Series) or given.open:
        return unknown_result(use.machine, use.node, use.node.text.split("(")[0], use.values)
    parameters = _parameters(target)
    args = [*(_anything(use, parameter) for parameter in parameters[:1] if options.ranked), *given.items]
    left_out = {one.name: _anything(use, one) for one in parameters[len(args) :] if one.default == Const(None)}
    use.machine.ranks.launched.add(target.function.span)
    invoke(use.machine, target, args, left_out, use.span)
    return None


def _parameters(routine: Routine) -> tuple[Parameter, ...]:
    """The parameters that a call fills."""
    return routine.function.parameters[0 if routine.receiver is None else 1 :]


def _anything(use: Use, parameter: Parameter) -> Value:
    """Which of the processes it is, nobody can say; nor what another launcher gives that this one leaves out."""
    return use.machine.free(parameter.name, parameter.role, "parameter")


LAUNCHES: Actions = {Action.LAUNCH: _launch}
"""What carries this action out."""
