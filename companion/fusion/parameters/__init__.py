"""All parameters of the fusion: costs, rates, times and limits, each with its unit and source."""
