// Declarations of an operator: channels, keys, prices and groups, in the words of the wire. The
// configuration file and the control API take the same shapes.
import type { Json } from "../core/json.ts";
import { Type, type Static } from "../core/schema.ts";
import {
  amount,
  baseUrl,
  concurrency,
  credential,
  isAddressOrNetwork,
  isMoment,
  isMultiplier,
  keyText,
  model,
  labelName,
  name,
  channelPreferences,
  perMinute,
  spendable,
  proxyUrl,
  waitMs,
} from "./fields.ts";
import { vendorFields } from "./cloud/rules.ts";
import {
  ChannelCost,
  factorFields,
  mediaAmounts,
  PriceFactor,
  PriceRule,
  PriceWindow,
} from "./price-parts.ts";
import { surcharges } from "./surcharge-rules.ts";
import { modelMapping, modelRates } from "./virtual-model.ts";

/** The vendor protocols that a channel may speak; a new upstream adds its word. */
const channelTypes = [
  "openai",
  "anthropic",
  "google",
  "ark",
  "minimax",
  "kling",
  "midjourney",
  "bedrock",
  "gateway",
  "vertex",
  "azure",
] as const;
/** Those whose key may have a second part behind a space, which is a pair. */
export const pairedTypes: readonly string[] = ["ark"];
/** The text formats that an upstream may speak. */
export const channelFormats = ["chat", "responses", "messages", "content", "converse"] as const;
export const entityStatuses = ["enabled", "disabled"] as const;

/** Defaults of fields that were left out. */
export const channelDefaults = {
  groups: ["default"],
  priority: 0,
  weight: 1,
  hiddenPromptTokens: 0,
  affinity: true,
  status: "enabled",
} as const;
export const keyDefaults = { account: "root" } as const;
export const groupDefaults = { multiplier: 1, prefer: "weight" } as const;

/** Stands for a header's value wherever one would be shown; written back, it keeps that one. */
export const hiddenValue = "********";

const closed = { additionalProperties: false } as const;
const headers = Type.Record(
  Type.String({ pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$" }),
  Type.Refine(
    Type.String({ maxLength: 8192 }),
    (text) => /^[\t\x20-\x7e]*$/.test(text),
    () => "must be printable ASCII",
  ),
  {
    ...closed,
    description:
      "Headers added to every request to the upstream; their values are shown as `********`.",
  },
);

const parameters = Type.Object(
  {
    set: Type.Optional(
      Type.Record(Type.String(), Type.Unsafe<Json>({}), {
        description: "Fields written into the upstream's body, over what the client sent.",
      }),
    ),
    remove: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        description: "Fields taken out of the upstream's body.",
      }),
    ),
  },
  { ...closed, description: "Changes to the body that goes to the upstream." },
);

export const ChannelInput = Type.Object(
  {
    name: name("Unique name; a declared channel is matched by it."),
    type: Type.Enum(channelTypes, { description: "The vendor protocol of the upstream." }),
    format: Type.Optional(
      Type.Enum(channelFormats, {
        description: "The text format the upstream speaks. Default: by type.",
      }),
    ),
    base_url: baseUrl("The vendor's origin, with a path prefix if it has one."),
    vendor: Type.Optional(vendorFields),
    key: Type.Optional(credential("The upstream's API key. Give key or keys.")),
    keys: Type.Optional(
      Type.Array(credential("An API key of the upstream."), {
        minItems: 1,
        maxItems: 1000,
        uniqueItems: true,
        description: "Several API keys of the upstream, used in turn.",
      }),
    ),
    models: Type.Array(model("A public model name."), {
      minItems: 1,
      maxItems: 10_000,
      uniqueItems: true,
      description: "The public names of the models it serves.",
    }),
    groups: Type.Optional(
      Type.Array(name("A group's name."), {
        minItems: 1,
        uniqueItems: true,
        default: channelDefaults.groups,
        description: "The groups whose keys may use it.",
      }),
    ),
    priority: Type.Optional(
      Type.Integer({
        minimum: -1_000_000,
        maximum: 1_000_000,
        default: channelDefaults.priority,
        description: "Channels of a higher priority are tried first.",
      }),
    ),
    weight: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        default: channelDefaults.weight,
        description: "Its share among channels of the same priority.",
      }),
    ),
    model_mapping: Type.Optional(
      Type.Record(Type.String(), model("The upstream's name of the model."), {
        description: "Public model name to the name the upstream knows.",
      }),
    ),
    parameters: Type.Optional(parameters),
    headers: Type.Optional(headers),
    surcharges: Type.Optional(surcharges),
    drop_store: Type.Optional(
      Type.Boolean({ description: "Take `store` out of the body, so the upstream keeps nothing." }),
    ),
    allow_private: Type.Optional(
      Type.Boolean({ description: "Allow a base_url on a loopback or private address." }),
    ),
    allow_objects: Type.Optional(
      Type.Boolean({
        description: "Let requests name any file, container or store of the upstream's by its id.",
      }),
    ),
    hidden_prompt_tokens: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1_000_000,
        default: channelDefaults.hiddenPromptTokens,
        description: "Tokens that the upstream puts before each prompt, unseen, and counts.",
      }),
    ),
    cost: Type.Optional(ChannelCost),
    allow_routing: Type.Optional(
      Type.Boolean({
        description: "Let requests choose other models and providers of the upstream's own.",
      }),
    ),
    affinity: Type.Optional(
      Type.Boolean({
        default: channelDefaults.affinity,
        description:
          "Keep each conversation on one key, where its prompt cache is. Off for pools that " +
          "share one cache behind them.",
      }),
    ),
    proxy: Type.Optional(
      proxyUrl("An HTTP proxy to reach it through, with credentials if that wants some."),
    ),
    http2: Type.Optional(Type.Boolean({ description: "Speak HTTP/2 to the upstream." })),
    status: Type.Optional(
      Type.Enum(entityStatuses, {
        default: channelDefaults.status,
        description: "A disabled channel gets no requests.",
      }),
    ),
    concurrency: concurrency(
      "The most requests and running tasks on this channel. Default: no limit.",
    ),
    requests_per_minute: perMinute(
      "Requests a minute that its vendor takes; others go to the next channel. Default: no limit.",
    ),
    tokens_per_minute: perMinute(
      "Tokens a minute that its vendor takes; others go to the next channel. Default: no limit.",
    ),
    key_requests_per_minute: perMinute(
      "Requests a minute that its vendor takes from each key; others go by another. " +
        "Default: no limit.",
    ),
    key_tokens_per_minute: perMinute(
      "Tokens a minute that its vendor takes from each key; others go by another. " +
        "Default: no limit.",
    ),
    spend_per_day_micros: spendable(
      "Micros a day of UTC, at cost prices, after which it is left out. Default: no limit.",
    ),
    first_byte_ms: waitMs(
      "Wait for a whole answer, or the first content of a stream. Default: by timeouts.",
    ),
    stall_ms: waitMs("Longest silence inside a stream. Default: timeouts.stall_ms."),
    total_ms: waitMs("Longest whole answer or stream. Default: timeouts.total_ms."),
  },
  { ...closed, description: "An upstream: address, credential, models." },
);
export type ChannelInput = Static<typeof ChannelInput>;

const keyFields = {
  name: labelName("Name of the key; a declared key is matched by it."),
  group: Type.Optional(
    name("The group whose channels and multiplier it uses. Default: its account's."),
  ),
  quota_micros: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: "What the key may spend in all, in millionths of a US dollar.",
    }),
  ),
  unlimited: Type.Optional(
    Type.Boolean({ description: "The key has no quota of its own; its account's still holds." }),
  ),
  models: Type.Optional(
    Type.Array(model("A public model name."), {
      minItems: 1,
      uniqueItems: true,
      description: "The only models the key may use. Default: all of its group.",
    }),
  ),
  model_mapping: modelMapping,
  expires_at: Type.Optional(
    Type.Refine(
      Type.Unsafe<number | string>({
        type: ["integer", "string"],
        description: "When the key stops working: unix seconds or an RFC 3339 date and time.",
      }),
      isMoment,
      () => "must be unix seconds or an RFC 3339 date and time with its zone",
    ),
  ),
  allow_ips: Type.Optional(
    Type.Array(
      Type.Refine(
        Type.String({ description: "An address or a network such as 10.0.0.0/8." }),
        isAddressOrNetwork,
        () => "must be an IP address or a network such as 10.0.0.0/8",
      ),
      { minItems: 1, description: "The only client addresses the key works from. Default: any." },
    ),
  ),
  requests_per_minute: perMinute("Requests a minute. Default: no limit."),
  tokens_per_minute: perMinute("Tokens a minute. Default: no limit."),
  model_requests_per_minute: modelRates("Requests a minute by model; `*` is any text."),
  model_tokens_per_minute: modelRates("Tokens a minute by model; `*` is any text."),
  concurrency: concurrency("Requests in flight at once. Default: no limit."),
  log_content: Type.Optional(
    Type.Boolean({
      description: "Its prompts and answers are kept, where the gateway keeps any. Default: no.",
    }),
  ),
};

/** A key as the control API takes it: never for another account, never with a chosen text. */
export const ApiKeyInput = Type.Object(keyFields, { ...closed, description: "An API key." });
export type ApiKeyInput = Static<typeof ApiKeyInput>;

export const KeyInput = Type.Object(
  {
    ...keyFields,
    account: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        default: keyDefaults.account,
        description: "The user name of the account that pays.",
      }),
    ),
    key: Type.Optional(keyText("The key's full text. Default: the gateway makes one.")),
  },
  { ...closed, description: "An API key of an account." },
);
export type KeyInput = Static<typeof KeyInput>;

export const PriceInput = Type.Object(
  {
    model: model("The public model name."),
    input_micros_per_million: amount("Micros for a million prompt tokens."),
    output_micros_per_million: amount("Micros for a million output tokens."),
    cache_read_micros_per_million: amount("Micros for a million tokens read from a cache."),
    cache_write_micros_per_million: amount("Micros for a million tokens written to a cache."),
    cache_write_1h_micros_per_million: amount(
      "Micros for a million tokens written to a cache for an hour. Default: twice the prompt's.",
    ),
    audio_input_micros_per_million: amount(
      "Micros for a million tokens of spoken input. Default: the prompt's.",
    ),
    audio_output_micros_per_million: amount("Micros for a million tokens of spoken output."),
    tool_micros: Type.Optional(
      Type.Record(Type.String(), Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 }), {
        description: "Micros for one call of a tool that the vendor runs, by its name.",
      }),
    ),
    factors: Type.Optional(
      Type.Record(Type.String(), PriceFactor, {
        description: "What tokens cost more by for a tier, such as service_tier.priority.",
      }),
    ),
    long_context: Type.Optional(
      Type.Object(
        {
          above_tokens: Type.Integer({ minimum: 1, description: "Input that is longer." }),
          ...factorFields,
        },
        { ...closed, description: "What all tokens cost more by where the input is long." },
      ),
    ),
    hours: Type.Optional(
      Type.Array(PriceWindow, {
        maxItems: 50,
        description: "Hours of the week in which tokens cost something else, in one zone.",
      }),
    ),
    output_tokens_max: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100_000_000,
        description:
          "The most that the model answers, where a request names no bound. Default: by its name.",
      }),
    ),
    ...mediaAmounts,
    rules: Type.Optional(
      Type.Array(PriceRule, {
        maxItems: 1000,
        description: "Refinements by size, quality, resolution, tier.",
      }),
    ),
  },
  { ...closed, description: "What a model costs, in millionths of a US dollar." },
);
export type PriceInput = Static<typeof PriceInput>;

export const GroupInput = Type.Object(
  {
    name: name("Unique name; a declared group is matched by it."),
    multiplier: Type.Optional(
      Type.Refine(
        Type.Number({
          minimum: 0,
          maximum: 1000,
          default: groupDefaults.multiplier,
          description: "Every price is multiplied by it; at most 6 decimals.",
        }),
        isMultiplier,
        () => "must have at most 6 decimals",
      ),
    ),
    prefer: Type.Optional(
      Type.Enum([...channelPreferences], {
        default: groupDefaults.prefer,
        description: "What channels of one priority are chosen by: weight, cost price or speed.",
      }),
    ),
    requests_per_minute: perMinute("Requests a minute of the whole group. Default: no limit."),
    tokens_per_minute: perMinute("Tokens a minute of the whole group. Default: no limit."),
    concurrency: concurrency("Requests in flight of the whole group. Default: no limit."),
  },
  { ...closed, description: "A group of keys: which channels, at what multiplier." },
);
export type GroupInput = Static<typeof GroupInput>;
