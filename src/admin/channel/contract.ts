// Channels as they go over the wire, and their calls.
import { ChannelInput, PriceInput } from "../../config/entities.ts";
import { orNull, text, whole, word } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { channelStates } from "../../distribution/channel-states.ts";
import { invalid } from "../../core/errors.ts";
import { bodyOf, callsOf } from "../call.ts";
import { momentSchema, money, removed, statusSchema } from "../contract/basics.ts";
import { byGroup, byName, bySort, byStatus } from "../search.ts";
import {
  batchBody,
  channelBody,
  channelPatch,
  copyBody,
  discoverBody,
  draftTrialBody,
  trialBody,
} from "./input-contract.ts";

const { key: _key, keys: _keys, format: _format, ...shown } = ChannelInput.properties;
const { concurrency: _concurrency, type: _type, proxy: _proxy, ...limited } = shown;
const { requests_per_minute: _requests, tokens_per_minute: _tokens, ...capped } = limited;
const { key_requests_per_minute: _ofKey, key_tokens_per_minute: _ofKeyToo, ...spending } = capped;
const { spend_per_day_micros: _spend, ...settings } = spending;

/** Keys of an upstream are write-only: this is all that is ever shown of one. */
const ChannelKeyView = Type.Object({
  last4: text(),
  status: statusSchema,
  /** Reason why it was disabled. */
  reason: orNull(text()),
  rests_until: orNull(whole("A busy key is not used until then, in Unix seconds.")),
  rests_for: orNull(
    Type.Array(text(), {
      description: "Models that it rests for, by the vendor's names; null where all, or none.",
    }),
  ),
});

const ChannelHealth = Type.Object({
  ejected: Type.Boolean(),
  state: Type.Unsafe<(typeof channelStates)[number]>({
    ...word(...channelStates),
    description:
      "Whether it would get a request now: `open`; `ejected` for failing; `saturated` by its " +
      "concurrency or rates; `spent` for the day; `resting` while all its keys do; `disabled`, " +
      "also without a key that works.",
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

const shownSettings = Type.Required(Type.Object(settings)).properties;

export const ChannelView = Type.Object({
  ...shownSettings,
  cost: money(shownSettings.cost),
  id: text(),
  type: text(),
  /** Null: by type. */
  format: orNull(text()),
  concurrency: orNull(Type.Number()),
  requests_per_minute: orNull(Type.Number()),
  tokens_per_minute: orNull(Type.Number()),
  key_requests_per_minute: orNull(Type.Number()),
  key_tokens_per_minute: orNull(Type.Number()),
  spend_per_day_micros: orNull(
    money(whole("Micros a day of UTC, at cost prices; null sets no limit.")),
  ),
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
  /** Depth of the trial: a tiny answer, or without any work the key, or only the address. */
  checked: word("answer", "key", "address"),
  /** The upstream's status; null when it did not answer. */
  status: orNull(whole()),
  latency_ms: Type.Number(),
  message: text(),
  model: text(),
  key: whole("Which of the channel's keys was used, from 0."),
});
export type ChannelTest = Static<typeof ChannelTest>;

export type TrialStepName =
  | "listed"
  | "unlisted"
  | "resolved"
  | "granted"
  | "connected"
  | "answered"
  | "first_token"
  | "done"
  | "failed";

/** An event of a test that is told as it goes. */
export interface TrialStep {
  step: TrialStepName;
  ms: number;
  /** The length of the list, and whether the model that is asked is on it. */
  models?: number;
  has_model?: boolean;
  /** Reason for which there is no list. */
  message?: string;
  method?: string;
  url?: string;
  status?: number;
  result?: ChannelTest;
  code?: string;
}

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
  price: orNull(money(PriceInput)),
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

const ImportInput = Type.Object(
  {
    yaml: Type.String({
      minLength: 1,
      maxLength: 512 * 1024,
      description: "A list under `channels`, in the words of the configuration file.",
    }),
    dry_run: Type.Optional(
      Type.Boolean({ description: "Says what would become of it, and writes nothing." }),
    ),
  },
  { additionalProperties: false },
);

const { call, list } = callsOf("Channels");

export const channelCalls = {
  list: list("GET /api/channel", "List channels", {
    permission: "channels.read",
    item: ChannelView,
    filter: {
      ...byName,
      ...byStatus,
      ...byGroup,
      ...bySort(["priority", "name", "created_at", "in_flight"]),
      type: { schema: text(), description: "Of this type only." },
      model: { schema: text() },
      sandbox: {
        schema: word("true", "false"),
        description: "With the built-in vendors behind the others.",
      },
    },
  }),
  create: call("POST /api/channel", "Create a channel", {
    permission: "channels.write",
    description: "Its keys are never shown again.",
    body: channelBody,
    answer: ChannelView,
  }),
  presets: call("GET /api/channel/presets", "List the vendors that are known by name", {
    permission: "channels.read",
    description: "Each has the fields of a channel that lead to it; a key and models are missing.",
    answer: Type.Object({ items: Type.Array(ChannelPreset) }),
  }),
  discover: call("POST /api/channel/discover", "List a vendor's models and their prices", {
    permission: "channels.write",
    description: "Of a channel by its id, or of one that is not made yet by its fields.",
    body: discoverBody,
    answer: Discovery,
  }),
  batch: call("POST /api/channel/batch", "Change or delete many channels", {
    permission: "channels.write",
    description: "All of them or none. Each has its own entry in the audit log.",
    body: batchBody,
    answer: ChannelBatch,
  }),
  exportAll: call("GET /api/channel/yaml", "Read all channels as YAML", {
    permission: "channels.write",
    description:
      "For the configuration file, or for another gateway: with costs, and without keys.",
    answer: ChannelDeclarations,
  }),
  importAll: call("POST /api/channel/yaml", "Make and change channels by YAML", {
    permission: "channels.write",
    description:
      "By their names, all of them or none. A key that is a variable, as an export has it, " +
      "leaves the one that is there.",
    body: bodyOf(ImportInput, {
      yaml:
        "channels:\n  - name: by-yaml\n    type: openai\n" +
        "    base_url: https://api.example.com\n    key: sk-example\n    models: [m]\n",
      dry_run: true,
    }),
    answer: ChannelImport,
  }),
  copy: call("POST /api/channel/{id}/copy", "Copy a channel", {
    permission: "channels.write",
    description: "With its keys, under another name, and disabled.",
    body: copyBody,
    answer: ChannelView,
  }),
  read: call("GET /api/channel/{id}", "Read a channel", {
    permission: "channels.read",
    answer: ChannelView,
  }),
  change: call("PATCH /api/channel/{id}", "Change a channel", {
    permission: "channels.write",
    description: "A new base_url, or another field that leads elsewhere, needs the key again.",
    body: channelPatch,
    answer: ChannelView,
  }),
  remove: call("DELETE /api/channel/{id}", "Delete a channel", {
    permission: "channels.write",
    answer: removed,
  }),
};

function readStreamed(value: string, name: string): "1" {
  if (value === "1") return value;
  throw invalid(name, "must be 1, or be left out");
}

const streamed = {
  stream: {
    schema: word("1"),
    description:
      "Told as it goes, by events `granted` (the key of a cloud was exchanged), `listed` or " +
      "`unlisted` (its models), `resolved`, `connected`, `answered`, `first_token` and `done`, " +
      "each with the milliseconds since the first; `failed` in place of the last.",
    read: readStreamed,
  },
};

/** They may be told as they go, so the routes themselves run them. */
export const trialCalls = {
  draft: call("POST /api/channel/test", "Try a channel out before it is made", {
    permission: "channels.write",
    description: "The fields of a channel, and the model to ask for. Nothing is written.",
    query: streamed,
    isStreamed: true,
    body: draftTrialBody,
    answer: ChannelTest,
  }),
  saved: call("POST /api/channel/{id}/test", "Try a channel out", {
    permission: "channels.write",
    description:
      "Asks for a tiny answer, or where that would cost a job only whether the key works.",
    query: streamed,
    isStreamed: true,
    body: trialBody,
    answer: ChannelTest,
  }),
};
export type ChannelCalls = typeof channelCalls;
export type TrialCalls = typeof trialCalls;
