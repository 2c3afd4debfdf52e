"""Operator commands: stuck pots, fee schedules, recoveries, the audit trail."""
