// Budgets as they go over the wire, and their calls.
import {
  budgetFields,
  BudgetFields,
  budgetModes,
  budgetScopes,
  hoursOrigins,
  periods,
} from "../../config/budget.ts";
import { budgetChecker } from "../../config/entity-rules.ts";
import { invalid } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import { orNull, text, whole, word } from "../../core/schema-words.ts";
import { parseWith, Type, type Static } from "../../core/schema.ts";
import { everySeat, holders, leaders, overseers } from "../../identity/role.ts";
import { bodyOf, callsOf } from "../call.ts";
import { momentSchema, moneySchema, removed, statusSchema } from "../contract/basics.ts";
import { patchOf } from "../patch.ts";
import { byAccount, byName, byStatus } from "../search.ts";

const windowFields = {
  subject: orNull(text("Id of the one whose window it is; null: of the whole account.")),
  subject_name: orNull(text("Its name, as far as it has one.")),
  opened_at: orNull(momentSchema),
  /** Null where it stays open, or none is. */
  resets_at: orNull(momentSchema),
  limit_micros: moneySchema,
  spent_micros: moneySchema,
  held_micros: moneySchema,
  left_micros: moneySchema,
};

/** A window that is open or over. */
export const BudgetWindowView = Type.Object(windowFields);
export type BudgetWindowView = Static<typeof BudgetWindowView>;

export const BudgetView = Type.Object({
  id: text(),
  account: text("The user name of the account that pays."),
  name: text(),
  scope: word(...budgetScopes),
  subject: orNull(text("Id of the one that it is for; null: of each, or of the whole account.")),
  subject_name: orNull(text("Its name, as far as it has one.")),
  models: orNull(Type.Array(text())),
  limit_micros: moneySchema,
  period: word(...periods),
  hours: orNull(whole("Length of a window of hours.")),
  hours_from: orNull(word(...hoursOrigins)),
  zone: text("The time zone, by its IANA name."),
  start_hour: whole(),
  start_weekday: whole("Monday is 1."),
  start_day: whole(),
  start_month: whole(),
  mode: word(...budgetModes),
  carry_micros_max: moneySchema,
  marks: Type.Array(whole(), { description: "Percent at which people are told." }),
  status: statusSchema,
  declared: Type.Boolean(),
  operators: Type.Boolean({
    description: "Set by those who run the gateway; its account cannot change it.",
  }),
  created_at: momentSchema,
  /** Null where each of many has windows of its own, and of one that is disabled. */
  now: orNull(BudgetWindowView),
});
export type BudgetView = Static<typeof BudgetView>;

/** Null where it sums up what all others spend, too, and whoever asks is told its share alone. */
const sumSchema = orNull(moneySchema);

/** A budget as whoever spends under it sees it. */
export const BudgetState = Type.Object({
  id: text("Id of the budget."),
  name: orNull(text("Null where it is not told to this key.")),
  scope: word(...budgetScopes),
  models: orNull(Type.Array(text())),
  mode: word(...budgetModes),
  ...windowFields,
  limit_micros: sumSchema,
  spent_micros: sumSchema,
  held_micros: sumSchema,
  left_micros: sumSchema,
  used_share: Type.Number({
    description:
      "Which part of it is spent or held, from 0 to 1 and in whole hundredths; it stands alone " +
      "where a member is not told the sums of the whole.",
  }),
});
export type BudgetState = Static<typeof BudgetState>;

const BudgetCreate = Type.Object({ ...BudgetFields.properties, account: Type.Optional(text()) });

/** The owner is no field of the budget itself; null is the operator. */
function parseCreate({ account, ...budget }: JsonObject): Static<typeof BudgetCreate> {
  const input = parseWith(budgetChecker, budget);
  if (account === undefined || account === null) return input;
  if (input.scope === "channel") throw invalid("account", "must not stand beside scope: channel");
  if (typeof account !== "string") throw invalid("account", "must be string");
  return { ...input, account };
}

const subject = Type.Optional(
  text("Of this one alone, by name or id, where each of many has windows of its own."),
);
const closed = { additionalProperties: false } as const;
const RenewInput = Type.Object({ subject }, closed);
const RaiseInput = Type.Object(
  { limit_micros: BudgetFields.properties.limit_micros, subject },
  closed,
);

const { call, list } = callsOf("KnownBudgets");

export const budgetCalls = {
  list: list("GET /api/budget", "List budgets", {
    wider: "budgets.read",
    seats: overseers,
    item: BudgetView,
    filter: { ...byName, ...byStatus, ...byAccount, scope: { schema: word(...budgetScopes) } },
  }),
  create: call("POST /api/budget", "Create a budget", {
    others: "budgets.write",
    wider: "budgets.read",
    seats: leaders,
    body: {
      schema: BudgetCreate,
      example: { name: "month", limit_micros: 50_000_000 },
      parse: parseCreate,
    },
    answer: BudgetView,
  }),
  self: call("GET /api/budget/self", "Read what is left of one's own budgets", {
    seats: everySeat,
    answer: Type.Object({ budgets: Type.Array(BudgetState) }),
  }),
  ofKey: call("GET /api/token/{id}/budget", "Read what is left of a key's budgets", {
    wider: "keys.read",
    seats: holders,
    description: "Those of its account and of all that it is part of included.",
    answer: Type.Object({ budgets: Type.Array(BudgetState) }),
  }),
  read: call("GET /api/budget/{id}", "Read a budget", {
    wider: "budgets.read",
    seats: overseers,
    answer: BudgetView,
  }),
  change: call("PATCH /api/budget/{id}", "Change a budget", {
    others: "budgets.write",
    wider: "budgets.read",
    seats: leaders,
    description:
      "Only what is named changes; null takes a field out. Another limit holds at once, another " +
      "mode from the next window on. Another scope, subject or rhythm opens a new window.",
    body: patchOf(budgetFields, {
      example: { limit_micros: 80_000_000 },
      words: { status: statusSchema },
      order: ["name", "status", ...Object.keys(budgetFields).slice(1)],
    }),
    answer: BudgetView,
  }),
  renew: call("POST /api/budget/{id}/renew", "Begin a new window now", {
    others: "budgets.write",
    wider: "budgets.read",
    seats: leaders,
    description: "What was spent stays on record with the window that ends.",
    body: { ...bodyOf(RenewInput, {}), isOptional: true },
    answer: BudgetView,
  }),
  raise: call("POST /api/budget/{id}/raise", "Change the limit of the open window alone", {
    others: "budgets.write",
    wider: "budgets.read",
    seats: leaders,
    body: bodyOf(RaiseInput, { limit_micros: 100_000_000 }),
    answer: BudgetWindowView,
  }),
  correct: call("POST /api/budget/{id}/correct", "Correct the limits of open windows", {
    others: "budgets.write",
    wider: "budgets.read",
    seats: leaders,
    description:
      "Each gets the limit that the budget makes, with what it carried and was raised by. They " +
      "have it already, but for what earlier versions did when a limit was lowered.",
    answer: BudgetView,
  }),
  windows: list("GET /api/budget/{id}/window", "List the windows of a budget", {
    wider: "budgets.read",
    seats: overseers,
    item: BudgetWindowView,
    filter: { subject: { schema: text(), description: "Of this one, by name or id." } },
  }),
  remove: call("DELETE /api/budget/{id}", "Delete a budget", {
    others: "budgets.write",
    seats: leaders,
    answer: removed,
  }),
};
export type BudgetCalls = typeof budgetCalls;
