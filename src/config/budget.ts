// A budget as an operator declares it: how much, of whom, and from when to when.
import { Type, type SchemaFault, type Static } from "../core/schema.ts";
import { isZone } from "../core/week/week-windows.ts";
import { labelName, model } from "./fields.ts";

/** Payers and parts of one that a budget may be for. */
export const budgetScopes = ["account", "member", "project", "key", "label", "channel"] as const;
export type BudgetScope = (typeof budgetScopes)[number];
export const periods = ["day", "week", "month", "quarter", "year", "hours", "forever"] as const;
export type Period = (typeof periods)[number];
/** Windows of hours are counted from 1970 on, or from the first request that finds none open. */
export const hoursOrigins = ["first_use", "epoch"] as const;
export type HoursOrigin = (typeof hoursOrigins)[number];
/** Never passed; refused once it is spent; refuses nothing. */
export const budgetModes = ["hard", "stop", "watch"] as const;
export type BudgetMode = (typeof budgetModes)[number];

/** Defaults of fields that were left out. */
export const budgetDefaults = {
  account: "root",
  scope: "account",
  period: "month",
  hoursFrom: "first_use",
  zone: "UTC",
  startHour: 0,
  startWeekday: 1,
  startDay: 1,
  startMonth: 1,
  mode: "stop",
  carryMicrosMax: 0,
  marks: [80, 100],
} as const;

const closed = { additionalProperties: false } as const;
const microsMax = 1_000_000_000_000_000;

const whole = (
  minimum: number,
  maximum: number,
  other: { default?: number; description: string },
) => Type.Optional(Type.Integer({ minimum, maximum, ...other }));

export const budgetFields = {
  name: labelName("Name of the budget, once in its account; a declared one is matched by it."),
  scope: Type.Optional(
    Type.Enum(budgetScopes, {
      default: budgetDefaults.scope,
      description:
        "What it is for: the whole account, or parts of it. channel: what requests through a " +
        "channel cost, whoever pays.",
    }),
  ),
  subject: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description:
        "The one member, project, key, label or channel that it is for, by its name or id. " +
        "Default: each of them has such a budget of its own.",
    }),
  ),
  models: Type.Optional(
    Type.Array(model("A model that requests ask for; `*` is any text."), {
      minItems: 1,
      maxItems: 100,
      uniqueItems: true,
      description: "The only models whose requests count. Default: all.",
    }),
  ),
  limit_micros: Type.Integer({
    minimum: 0,
    maximum: microsMax,
    description: "What may be spent in a window, in millionths of a US dollar.",
  }),
  period: Type.Optional(
    Type.Enum(periods, {
      default: budgetDefaults.period,
      description: "How long a window is.",
    }),
  ),
  hours: whole(1, 8784, { description: "Length of a window, with `period: hours`." }),
  hours_from: Type.Optional(
    Type.Enum(hoursOrigins, {
      default: budgetDefaults.hoursFrom,
      description:
        "Windows of hours open with the first request that finds none, or are counted from 1970.",
    }),
  ),
  zone: Type.Optional(
    Type.Refine(
      Type.String({
        minLength: 1,
        maxLength: 64,
        default: budgetDefaults.zone,
        description: "Whose clock the windows go by, such as Asia/Shanghai.",
      }),
      isZone,
      () => "is no time zone that is known, such as Europe/Berlin",
    ),
  ),
  start_hour: whole(0, 23, {
    default: budgetDefaults.startHour,
    description: "The hour of the day at which windows begin.",
  }),
  start_weekday: whole(1, 7, {
    default: budgetDefaults.startWeekday,
    description: "The day on which weeks begin; Monday is 1.",
  }),
  start_day: whole(1, 31, {
    default: budgetDefaults.startDay,
    description:
      "The day on which months, quarters and years begin; the last where the month is shorter.",
  }),
  start_month: whole(1, 12, {
    default: budgetDefaults.startMonth,
    description: "The month in which years begin, and a quarter.",
  }),
  mode: Type.Optional(
    Type.Enum(budgetModes, {
      default: budgetDefaults.mode,
      description:
        "hard: never passed, so a request has to fit with all it may cost. stop: refused once it " +
        "is spent; what is under way may pass it. watch: nothing is refused.",
    }),
  ),
  carry_micros_max: whole(0, microsMax, {
    default: budgetDefaults.carryMicrosMax,
    description: "The most of what was left that goes into the next window.",
  }),
  marks: Type.Optional(
    Type.Array(Type.Integer({ minimum: 1, maximum: 1000 }), {
      maxItems: 10,
      uniqueItems: true,
      default: [...budgetDefaults.marks],
      description: "Percent of the limit at which people are told.",
    }),
  ),
};

export const BudgetFields = Type.Object(budgetFields, { ...closed, description: "A budget." });
export type BudgetFields = Static<typeof BudgetFields>;

export const BudgetInput = Type.Object(
  {
    ...budgetFields,
    account: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        default: budgetDefaults.account,
        description: "The user name of the account that pays.",
      }),
    ),
  },
  { ...closed, description: "What an account, or a part of it, may spend in a time." },
);
export type BudgetInput = Static<typeof BudgetInput>;

export function budgetFaults(budget: BudgetFields): SchemaFault[] {
  const { scope = budgetDefaults.scope, period = budgetDefaults.period } = budget;
  const faults: SchemaFault[] = [];
  if (period === "hours" && budget.hours === undefined) {
    faults.push({ path: "hours", message: "is required with period: hours" });
  }
  for (const field of ["hours", "hours_from"] as const) {
    if (period !== "hours" && budget[field] !== undefined) {
      faults.push({ path: field, message: "needs period: hours" });
    }
  }
  if (scope === "account" && budget.subject !== undefined) {
    faults.push({ path: "subject", message: "must not stand beside scope: account" });
  }
  if (scope === "channel") faults.push(...channelFaults(budget));
  const isOfFirstUse = period === "hours" && budget.hours_from !== "epoch";
  if ((period === "forever" || isOfFirstUse) && (budget.carry_micros_max ?? 0) > 0) {
    const message = "needs windows that follow each other: not forever, nor hours of first use";
    faults.push({ path: "carry_micros_max", message });
  }
  return faults;
}

/** Fields that a budget of what goes through a channel cannot have. */
function channelFaults(budget: BudgetFields & { account?: string }): SchemaFault[] {
  const faults: SchemaFault[] = [];
  if (budget.mode === "hard") {
    const message = "hard needs a hold, and a channel is chosen after it: stop or watch";
    faults.push({ path: "mode", message });
  }
  for (const field of ["models", "account"] as const) {
    if (budget[field] === undefined) continue;
    faults.push({ path: field, message: "must not stand beside scope: channel" });
  }
  return faults;
}
