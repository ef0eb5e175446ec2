// Words of the bars of budgets, which several pages show.
import { plural } from "../../core/plural.ts";
import { pageWords } from "../page-words.ts";

export const t = pageWords("kitBudget", "page", {
  anew: (at: string) => `resets ${at}`,
  never: "Never resets",
  nextRequest: "Starts with the next request",
  budgets: "Budgets",
  noBudgets: "No budget applies.",
  unnamed: "Organisation budget",
  usedShare: (share: string) => `${share} used`,
  scopes: {
    account: "the account",
    member: "members",
    project: "projects",
    key: "keys",
    label: "labels",
    channel: "channels",
  },
  each: {
    account: "",
    member: "each member",
    project: "each project",
    key: "each key",
    label: "each label",
    channel: "each channel",
  },
  one: (scope: string, name: string) => `${scope} ${name}`,
  singular: {
    account: "account",
    member: "member",
    project: "project",
    key: "key",
    label: "label",
    channel: "channel",
  },
  periods: {
    day: "day",
    week: "week",
    month: "month",
    quarter: "quarter",
    year: "year",
    hours: "hours",
    forever: "never (one-time)",
  },
  hoursOf: (hours: number) => plural(hours, { one: "1 hour", other: `${hours} hours` }),
  daysOf: (days: number) => plural(days, { one: "1 day", other: `${days} days` }),
});
