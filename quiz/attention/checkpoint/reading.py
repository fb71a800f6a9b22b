"""The sizes of a model's attention as its class would read them from the file, and what is said about that."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from quiz.attention.checkpoint.family import Family
from quiz.attention.checkpoint.keys import KEYS, Entry, entry, layer_count, rivals, setting
from quiz.attention.checkpoint.layers import layer_types
from quiz.attention.checkpoint.outcome import Outcome, null, raises
from quiz.errors import UsageError

Source = Literal["explicit", "derived", "family"]

UNKNOWN = Family(0, 0, 0, null_head_dim=None, odd=None, layers="listed", unknown=True)
"""A family that is in no table: nothing can stand in for what its file leaves out."""

LATENT_SIZES = ("kv_lora_rank", "q_lora_rank", "qk_nope_head_dim", "qk_rope_head_dim", "v_head_dim")


@dataclass(slots=True)
class Findings:
    """What there is to say: ``notes`` on what the file does not settle, ``problems`` with what it does. Where it is
    ``is_one_layer``, nobody knows how many layers there are, and one stands for all."""

    notes: list[str] = field(default_factory=list)
    problems: list[Outcome] = field(default_factory=list)
    is_one_layer: bool = False

    def note(self, text: str) -> None:
        """Add a note, once."""
        if text not in self.notes:
            self.notes.append(text)


@dataclass(frozen=True, slots=True)
class Sizes:
    """The sizes by name, where head_dim comes from, and what a derived head_dim leaves over of hidden_size.

    ``known`` is False where no width of a head results: null where a number is needed, or no whole quotient.
    ``named`` is the head_dim that the config object then has from the file, whether or not the module reads it; of
    latent attention also where it is the class's own.
    """

    numbers: Mapping[str, int]
    source: Source
    remainder: int = 0
    known: bool = True
    named: int | None = None

    def __getitem__(self, name: str) -> int:
        return self.numbers[name]


def read_sizes(config: Mapping[str, object], name: str, family: Family, found: Findings) -> Sizes:
    """All sizes of the main attention. ``name`` is what the family is called in notes.

    Raises:
        UsageError: a size is no whole number, or an unknown family leaves one out that cannot be done without.
    """
    reader = _Reader(config, name, family, found)
    prefix = "decoder" if family.encoder else "num"
    numbers = {
        "hidden_size": reader.base("hidden_size", family.hidden_size),
        "num_heads": reader.base(f"{prefix}_heads", family.num_heads),
    }
    numbers["num_layers"] = layer_count("the number of layers", reader.layers(f"{prefix}_layers"))
    numbers["num_kv_heads"] = _kv_heads(reader, numbers["num_heads"])
    if family.form == "latent":
        return reader.latent(numbers)
    source, remainder, known = _head_dim(reader, numbers)
    own_value = "v_head_dim" in family.defaults or (family.unknown and "v_head_dim" in config)
    numbers["v_head_dim"] = reader.other("v_head_dim") if own_value else numbers["head_dim"]
    for size in family.defaults:
        if size not in ("num_kv_shared_layers", "rotary_dim", "v_head_dim"):
            numbers[size] = reader.other(size)
    if family.routed:
        numbers["num_heads"] = _routed(reader, numbers)
    if family.form == "shared":
        numbers["o_group_width"] = numbers["num_heads"] * numbers["head_dim"] // numbers["o_groups"]
    said = entry(config, "head_dim")
    return Sizes(numbers, source, remainder, known, said.value if said else None)


def shared_layers(config: Mapping[str, object], family: Family) -> int:
    """How many of the last layers use the keys and values of earlier ones (Gemma 3n and 4)."""
    default = family.defaults.get("num_kv_shared_layers")
    if default is None:
        return 0
    value = config.get("num_kv_shared_layers", default)
    if type(value) is not int or value < 0:
        raise UsageError("the config's num_kv_shared_layers must be a whole number from 0")
    return value


@dataclass(frozen=True, slots=True)
class _Reader:
    config: Mapping[str, object]
    name: str
    family: Family
    found: Findings

    def base(self, size: str, default: int) -> int:
        """A size that every model has; the class's own where the file leaves it out."""
        said = entry(self.config, size)
        if said and said.value is not None:
            if not self.family.encoder and (others := rivals(self.config, size, said)):
                self.found.note(f"{said.key} {said.value} is read; the file also says {', '.join(others)}")
            return said.value
        if self.family.unknown:
            raise UsageError(f"the config does not say {size}: it has none of the keys {', '.join(KEYS[size])}")
        return self._default(size, default, said)

    def layers(self, size: str) -> int:
        """The number of layers: what the file says, or as many as it lists where the class only looks at the list."""
        said = entry(self.config, size)
        if self.family.unknown and not (said and said.value is not None):
            return self._uncounted()
        if not self.family.listed_count:
            return self.base(size, self.family.num_layers)
        count = len(layer_types(self.config, self.family, self.family.num_layers) or ())
        if said and said.value not in (None, count):
            self.found.note(
                f"{said.key} {said.value} is in the file, but {self.name} counts the layers listed: {count}"
            )
        elif not said and count == self.family.num_layers:
            self.found.note(f"the file does not say num_layers: {count} is the default of {self.name}")
        return count

    def _uncounted(self) -> int:
        """As many layers as the file of an unknown family lists, else one that stands for all."""
        if types := layer_types(self.config, self.family, 1):
            return len(types)
        self.found.is_one_layer = True
        self.found.note("the file does not say num_layers: everything is counted for one layer")
        return 1

    def other(self, size: str) -> int:
        """A size that only some families have."""
        said = entry(self.config, size)
        if said and said.value is not None:
            return said.value
        default = self.family.defaults.get(size)
        if default is None:
            raise UsageError(f"the config does not say {size}")
        return self._default(size, default, said)

    def _default(self, size: str, default: int, said: Entry | None) -> int:
        """The class's own size, where the file does not say it; a null under the usual name raises."""
        if said and said.key == KEYS.get(size, (size,))[0]:
            stage = self.family.null_sizes if size not in self.family.defaults else "config"
            self.found.problems.append(null("build" if size in self.family.nullable else stage, said.key))
        else:
            self.found.note(f"the file does not say {size}: {default} is the default of {self.name}")
        return default

    def latent(self, numbers: dict[str, int]) -> Sizes:
        """All sizes of latent attention: those of every model, and its own."""
        sizes = (*LATENT_SIZES, *(name for name in self.family.defaults if name not in LATENT_SIZES))
        numbers |= {size: self.other(size) for size in sizes if size != "q_lora_rank" or not self._queries_directly()}
        if self.family.head_dim_is_rope and (named := entry(self.config, "head_dim")):
            if named.value is None:
                self.found.problems.append(null("build", named.key))
            elif named.value != numbers["qk_rope_head_dim"]:
                self.found.note(
                    f"{named.key} {named.value} in the file is another name for qk_rope_head_dim: it takes the place "
                    f"of {numbers['qk_rope_head_dim']}"
                )
            numbers["qk_rope_head_dim"] = named.value or numbers["qk_rope_head_dim"]
        numbers["qk_head_dim"] = numbers["qk_nope_head_dim"] + numbers["qk_rope_head_dim"]
        numbers["cache_width"] = numbers["kv_lora_rank"] + numbers["qk_rope_head_dim"]
        numbers["expanded_width"] = numbers["qk_nope_head_dim"] + numbers["v_head_dim"]
        head_dim = self._rotary_head_dim(numbers)
        rope = numbers["qk_rope_head_dim"]
        turning = head_dim or numbers["hidden_size"] // numbers["num_heads"]
        numbers["rotary_width"] = turning * rope // numbers["qk_head_dim"] if self.family.turns_share else turning
        is_said = {"qk_nope_head_dim", "qk_rope_head_dim"} <= self.config.keys()
        return Sizes(numbers, "explicit" if is_said else "family", named=head_dim)

    def _queries_directly(self) -> bool:
        """Whether queries come straight from the hidden vector: q_lora_rank is null, in the file or the class."""
        said = entry(self.config, "q_lora_rank")
        if said is None or "q_lora_rank" not in self.family.defaults:
            return self.family.defaults.get("q_lora_rank") is None
        return said.value is None and "q_lora_rank" in self.family.nullable

    def _rotary_head_dim(self, numbers: Mapping[str, int]) -> int | None:
        """The head_dim from which latent attention makes its rotary positions; None where that is null."""
        family, said = self.family, entry(self.config, "head_dim")
        own = family.head_dim or numbers["qk_head_dim" if family.turns_share else "qk_rope_head_dim"]
        if said is None or family.head_dim_is_rope:
            return own
        if said.value is None and family.null_head_dim:
            self.found.problems.append(null(family.null_head_dim, said.key))
            return own
        if family.reads_head_dim:
            if said.value is None:
                self.found.note(
                    f"{said.key} is null in the file: rotary positions are made for hidden_size / num_heads"
                )
            return said.value
        if said.value not in (None, numbers["qk_head_dim"]):
            self.found.note(f"{said.key} {said.value} is in the file, but {self.name} does not read it")
        return own


def _kv_heads(reader: _Reader, num_heads: int) -> int:
    config, family, found = reader.config, reader.family, reader.found
    said = entry(config, "num_kv_heads", family.kv_heads_key)
    if said is None and family.kv_heads_key and (stray := entry(config, "num_kv_heads")):
        found.note(f"{stray.key} {stray.value} is in the file, but {reader.name} reads only {family.kv_heads_key}")
    if family.grouped_if and not setting(config, family.grouped_if, False):
        return _ignored(found, said, _one_or_all(config, family, num_heads), f"without {family.grouped_if}")
    if family.shared_if and not family.grouped_if:
        return _ignored(found, said, _one_or_all(config, family, num_heads), f"{family.shared_if} decides")
    if said and said.key == family.encoder_heads_key:
        return _heads_of_encoder(found, said, num_heads)
    if not family.reads_kv_heads:
        return _ignored(found, said, num_heads, f"{reader.name} has a KV head for each query head")
    if said and said.value is not None:
        return said.value
    if (said or family.needs_kv_heads) and family.null_kv_heads:
        found.problems.append(null(family.null_kv_heads, said.key if said else "num_key_value_heads"))
        return num_heads
    if said:
        if family.unknown:
            found.note(f"{said.key} is null in the file: one KV head per query head is assumed")
        return num_heads
    if family.unknown:
        if setting(config, "multi_query", False):
            return 1
        if family.form != "latent":
            found.note("no number of KV heads is in the file: one per query head is assumed")
        return num_heads
    if family.num_kv_heads is not None:
        found.note(f"the file does not say num_kv_heads: {family.num_kv_heads} is the default of {reader.name}")
        return family.num_kv_heads
    return num_heads


def _one_or_all(config: Mapping[str, object], family: Family, num_heads: int) -> int:
    return 1 if family.shared_if and setting(config, family.shared_if, True) else num_heads


def _heads_of_encoder(found: Findings, said: Entry, num_heads: int) -> int:
    if said.value is None:
        found.problems.append(null("build", said.key))
    else:
        found.note(f"{said.key} is another name for the number of the encoder's heads: they are {said.value}")
    return num_heads


def _routed(reader: _Reader, numbers: Mapping[str, int]) -> int:
    """Query heads of a token: every expert that it is sent to has as many as there are KV heads."""
    chosen, experts = numbers["num_experts_per_tok"], numbers["num_local_experts"]
    if chosen > experts:
        reader.found.problems.append(raises("config", f"a token cannot go to {chosen} of {experts} experts"))
    heads = numbers["num_kv_heads"] * chosen
    if heads != numbers["num_heads"]:
        reader.found.note(
            f"{numbers['num_heads']} query heads are not {numbers['num_kv_heads']} KV heads × "
            f"{numbers['num_experts_per_tok']} experts per token, which is what {reader.name} computes"
        )
    return heads


def _ignored(found: Findings, said: Entry | None, used: int, why: str) -> int:
    if said and said.value not in (None, used):
        found.note(f"{said.key} {said.value} is in the file, but not read: {why}")
    return used


def _head_dim(reader: _Reader, numbers: dict[str, int]) -> tuple[Source, int, bool]:
    """Put head_dim among the numbers; gives its source, the remainder of the division, and whether it is known."""
    family, found = reader.family, reader.found
    said = entry(reader.config, "head_dim", family.head_dim_key)
    if family.head_dim_key and (stray := entry(reader.config, "head_dim")) and stray.key != family.head_dim_key:
        found.note(f"{stray.key} {stray.value} is in the file, but {reader.name} reads only {family.head_dim_key}")
    if said and said.value is not None and family.reads_head_dim:
        numbers["head_dim"] = said.value
        return "explicit", 0, True
    if family.head_dim is not None and said is None:
        numbers["head_dim"] = family.head_dim
        found.note(f"the file does not say head_dim: {family.head_dim} is the default of {reader.name}")
        return "family", 0, True
    numbers["head_dim"], remainder = divmod(family.spread * numbers["hidden_size"], numbers["num_heads"])
    known = numbers["head_dim"] > 0 and not (remainder and family.uneven in ("config", "build"))
    if not family.reads_head_dim:
        if said and said.value == numbers["head_dim"]:
            return "explicit", remainder, known
        if said and said.value is not None:
            found.note(f"{said.key} {said.value} is in the file, but {reader.name} does not read it")
    elif (said or family.needs_head_dim) and family.null_head_dim:
        found.problems.append(null(family.null_head_dim, said.key if said else "head_dim"))
        known = False
    elif family.unknown and remainder:
        found.note("hidden_size / num_heads is not whole, so head_dim is not settled; this family may set its own")
        known = False
    elif family.unknown:
        found.note("head_dim was derived from hidden_size / num_heads; this family may set its own")
    return "derived", remainder, known
