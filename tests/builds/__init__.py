"""Builds of a lake: rules of the models, histories against the oracle, retention, guards."""
