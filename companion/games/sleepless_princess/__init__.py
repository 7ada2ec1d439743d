"""Sleepless Princess, basic and 5+: rules, cards, mat and notation."""
