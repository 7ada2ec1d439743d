"""The parts that the main screen is made of."""
