// Sums of what was used, as they go over the wire.
import { invalid } from "../../core/errors.ts";
import { orNull, text, whole } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { everySeat } from "../../identity/role.ts";
import { callsOf } from "../call.ts";
import { listFields, moneySchema, pagesOf } from "../contract/basics.ts";
import { span } from "../span.ts";
import { byKey, byLabel, ofOthers } from "../search.ts";

const sumFields = {
  requests: whole(),
  /** Those that were refused or failed; a client that left has had no failure. */
  failures: whole(),
  input_tokens: whole(),
  output_tokens: whole(),
  cache_read_tokens: whole(),
  cache_write_tokens: whole(),
  reasoning_tokens: whole(),
  images: Type.Number(),
  seconds: Type.Number(),
  micros: moneySchema,
  /** For admins: what vendors take for it, by what channels say of that. */
  cost_micros: Type.Optional(moneySchema),
  margin_micros: Type.Optional(moneySchema),
  /** For admins, where neither account nor key is asked for: tries on channels. */
  attempts: Type.Optional(whole()),
  /** Those that failed by fault of their channel. */
  attempt_failures: Type.Optional(whole()),
};

export const UsageSums = Type.Object(sumFields);
export type UsageSums = Static<typeof UsageSums>;

/** Has of the optional fields those that were asked for by `by`. */
export const UsageView = Type.Object({
  ...sumFields,
  day: Type.Optional(text("A day of UTC.")),
  /** Empty for requests that reached no channel. */
  model: Type.Optional(text()),
  key_id: Type.Optional(text()),
  key_name: Type.Optional(text()),
  /** Empty where requests have none; `other` for those past the first 1,000 of a day. */
  label: Type.Optional(text()),
  /** For admins only, as are the rest. */
  account: Type.Optional(text()),
  /** Empty where no channel served it. */
  channel_id: Type.Optional(text()),
  channel: Type.Optional(orNull(text())),
});
export type UsageView = Static<typeof UsageView>;

export const ListedUsage = Type.Object({
  ...listFields(UsageView),
  /** The first day. */
  from: text(),
  to: text("The first day after."),
  /** Sums of all that was found, on whatever page. */
  sum: UsageSums,
});
export type ListedUsage = Static<typeof ListedUsage>;

const ownGroupings = ["day", "model", "key", "label"] as const;
const groupings = [...ownGroupings, "account", "channel"] as const;

function filterBy<Word extends string>(words: readonly Word[]) {
  const read = (texts: string, name: string) =>
    Array.from(new Set(texts.split(",")), (one) => {
      const known = words.find((word) => word === one);
      if (known === undefined) throw invalid(name, `must be some of ${words.join(", ")}`);
      return known;
    });
  const description = "Some of day, model, key, label; for admins also account, channel.";
  return {
    ...span,
    by: { schema: text(), description, read },
    model: { schema: text() },
    ...byKey,
    ...byLabel,
  };
}

export const ownUsageFilter = filterBy(ownGroupings);
export const usageFilter = { ...filterBy(groupings), ...ofOthers };

/** All of a year fits on one page. */
export const usageRowsMax = 1000;
const pages = pagesOf({ usual: usageRowsMax, most: usageRowsMax });

const { call } = callsOf("Records");

export const usageCalls = {
  list: call("GET /api/usage", "Sum up what was used", {
    permission: "usage.read",
    query: { ...pages, ...usageFilter },
    answer: ListedUsage,
  }),
  listOwn: call("GET /api/usage/self", "Sum up what one has used", {
    seats: everySeat,
    query: { ...pages, ...ownUsageFilter },
    answer: ListedUsage,
  }),
};
export type UsageCalls = typeof usageCalls;
