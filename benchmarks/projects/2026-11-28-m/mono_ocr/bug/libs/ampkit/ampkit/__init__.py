from ampkit.stepper import MixedStepper

__all__ = ["MixedStepper"]
