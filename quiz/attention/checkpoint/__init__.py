"""A model's config.json -> the sizes, weights and cache of its attention, without the library that would build it.

The way of a file: `document` reads it, `model_type` finds its family (a row of `families`, in the words of `family`),
`reading` takes the sizes as that family would, from any of their `keys`; `layers` says which type each layer has,
`rotary` how much of a head rotates, `attention` what weights and cache follow, `checks` what is wrong. `inspection`
does it all.
"""
