"""What a host needs to run a house: settings, health, administration, retention and backup."""
