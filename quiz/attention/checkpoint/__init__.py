"""A model's config.json -> the sizes, weights and cache of its attention, without the library that would build it."""
