"""The build guide: steps with their parts, from which its pages and parts lists are made."""
