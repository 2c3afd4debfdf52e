"""The operator's commands: stuck pots, fee schedules, recoveries, the audit trail."""
