"""What every floor stands on: estimates, outcomes, errors, registries, progress."""
