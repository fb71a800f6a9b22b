"""What can be asked: the pack language, YAML in, validated packs out."""
