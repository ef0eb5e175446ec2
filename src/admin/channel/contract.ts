// Channels as they go over the wire.
import { ChannelInput, PriceInput } from "../../config/entities.ts";
import { orNull, text, whole, word } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { channelStates } from "../../distribution/channel-states.ts";
import { momentSchema, statusSchema } from "../contract/basics.ts";

const { key: _key, keys: _keys, format: _format, ...shown } = ChannelInput.properties;
const { concurrency: _concurrency, type: _type, proxy: _proxy, ...settings } = shown;

/** Keys of an upstream are write-only: this is all that is ever shown of one. */
const ChannelKeyView = Type.Object({
  last4: text(),
  status: statusSchema,
  /** Why it was disabled. */
  reason: orNull(text()),
  rests_until: orNull(whole("A busy key is not used until then, in Unix seconds.")),
});

const ChannelHealth = Type.Object({
  ejected: Type.Boolean(),
  state: Type.Unsafe<(typeof channelStates)[number]>({
    ...word(...channelStates),
    description:
      "Whether it would get a request now: `open`; `ejected` for failing; `saturated` by its " +
      "concurrency; `resting` while all its keys do; `disabled`, also without a key that works.",
  }),
  until: orNull(whole("When that ends by itself, in Unix seconds.")),
  failures_in_a_row: whole("Until one request is served."),
  last_error: orNull(
    Type.Object(
      {
        code: text(),
        message: text("What the vendor or the network said."),
        status: orNull(whole("The vendor's status; null where it did not answer.")),
        at: momentSchema,
      },
      { description: "What went wrong last, since the gateway started." },
    ),
  ),
});
export type ChannelHealth = Static<typeof ChannelHealth>;

export const ChannelView = Type.Object({
  ...Type.Required(Type.Object(settings)).properties,
  id: text(),
  type: text(),
  /** Null: by type. */
  format: orNull(text()),
  concurrency: orNull(Type.Number()),
  /** Null: the gateway's own, as for the two below. */
  first_byte_ms: orNull(Type.Number()),
  stall_ms: orNull(Type.Number()),
  total_ms: orNull(Type.Number()),
  /** Without its credentials. */
  proxy: orNull(text()),
  keys: Type.Array(ChannelKeyView),
  /** True when the configuration file declares it. */
  declared: Type.Boolean(),
  sandbox: Type.Boolean({ description: "One of the built-in vendors, which is not changed." }),
  health: ChannelHealth,
  unpriced: Type.Array(text(), { description: "Its models without a price: they are refused." }),
  in_flight: whole(),
  implausible: whole("Settlements since the start whose usage could not be, and was clamped."),
  created_at: momentSchema,
  updated_at: momentSchema,
});
export type ChannelView = Static<typeof ChannelView>;

export const ChannelTest = Type.Object({
  ok: Type.Boolean(),
  /** What was tried: a tiny answer, or without any work the key, or only the address. */
  checked: word("answer", "key", "address"),
  /** The upstream's status; null when it did not answer. */
  status: orNull(whole()),
  latency_ms: Type.Number(),
  message: text(),
  model: text(),
  key: whole("Which of the channel's keys was used, from 0."),
});
export type ChannelTest = Static<typeof ChannelTest>;

export const ChannelPreset = Type.Object({
  name: text(),
  title: text(),
  type: text(),
  format: orNull(text()),
  base_url: text(),
  /** True of what runs on a machine of one's own: it takes any key. */
  allow_private: Type.Boolean(),
  parameters: Type.Object({ remove: Type.Optional(Type.Array(text())) }),
});
export type ChannelPreset = Static<typeof ChannelPreset>;

const DiscoveredModel = Type.Object({
  id: text(),
  name: text(),
  context_tokens: orNull(whole("How long its input may be.")),
  price: orNull(PriceInput),
  is_priced: Type.Boolean({ description: "False: the price is the list's, and not taken over." }),
  is_served: Type.Boolean({ description: "The channel serves it already." }),
});
export type DiscoveredModel = Static<typeof DiscoveredModel>;

export const Discovery = Type.Object({
  source: Type.Unsafe<"vendor" | "list">({
    type: "string",
    enum: ["vendor", "list"],
    description: "Who names the models: the vendor, or the price list where the vendor does not.",
  }),
  models: Type.Array(DiscoveredModel),
});
export type Discovery = Static<typeof Discovery>;

export const ChannelBatch = Type.Object({
  items: Type.Array(ChannelView, { description: "Those that were changed." }),
  removed: Type.Array(text(), { description: "Those that were deleted, by their ids." }),
});
export type ChannelBatch = Static<typeof ChannelBatch>;

export const ChannelDeclarations = Type.Object({
  yaml: text("As the configuration file would have them, with a variable in place of each key."),
});
export type ChannelDeclarations = Static<typeof ChannelDeclarations>;

export const ChannelImport = Type.Object({
  created: Type.Array(text(), { description: "Those that were not there, by their names." }),
  changed: Type.Array(text(), { description: "Those that were there, by their names." }),
  dry_run: Type.Boolean({ description: "Nothing was written." }),
});
export type ChannelImport = Static<typeof ChannelImport>;
