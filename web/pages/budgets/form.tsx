// The fields of a budget, for a new one and for one that is there.
import type { BudgetView } from "../../../src/admin/contract.ts";
import type { BodyOf } from "../../core/control.ts";
import { may } from "../../core/session.ts";
import { areaOf, lines, money, select, text, whole } from "../../kit/form-fields.tsx";
import type { Draft } from "../../kit/form-fields.tsx";
import { formOf } from "../../kit/form.tsx";
import { wordsOf } from "../../kit/field.tsx";
import { t as barWords } from "../../kit/budget/words.ts";
import { t } from "./words.ts";

const isEvery =
  (...periods: string[]) =>
  (_isNew: boolean, { period }: Draft) =>
    periods.includes(String(period));
const isByCalendar = isEvery("day", "week", "month", "quarter", "year");
const isByMonths = isEvery("month", "quarter", "year");

/** Channels are the operators' own. */
function scopes() {
  const all = wordsOf(barWords().scopes);
  return may("budgets.write") ? all : all.filter(([scope]) => scope !== "channel");
}

const percents = {
  write: (all: number[]) => all.join(", "),
  read: (typed: string) =>
    typed
      .split(/[\s,，]+/)
      .filter(Boolean)
      .map(Number),
};

export const budgetForm = formOf<BodyOf<"POST /api/budget">, BudgetView>()(
  [
    text("name", { isRequired: true, hasFocus: true, maxLength: 64 }),
    text("account", {
      isShown: (isNew, { scope }) => isNew && scope !== "channel" && may("budgets.write"),
    }),
    money("limit_micros", { isRequired: true }),
    {
      pair: [
        select("scope", scopes, { start: "account" }),
        text("subject", { isShown: (_isNew, { scope }) => scope !== "account" }),
      ],
    },
    {
      pair: [
        select("period", () => wordsOf(barWords().periods), { start: "month" }),
        whole("hours", { isRequired: true, isShown: isEvery("hours") }),
      ],
    },
    select("mode", () => wordsOf(t().modes), { start: "stop" }),
    {
      more: [
        select("hours_from", () => wordsOf(t().origins), {
          start: "first_use",
          isShown: isEvery("hours"),
        }),
        {
          pair: [
            text("zone", { isShown: isByCalendar }),
            whole("start_hour", { isShown: isByCalendar }),
          ],
        },
        {
          pair: [
            whole("start_weekday", { isShown: isEvery("week") }),
            whole("start_day", { isShown: isByMonths }),
            whole("start_month", { isShown: isEvery("quarter", "year") }),
          ],
        },
        lines("models", { isShown: (_isNew, { scope }) => scope !== "channel" }),
        money("carry_micros_max", { isShown: isByCalendar }),
        areaOf("marks", percents, { rows: 1 }),
      ],
    },
  ],
  t,
  ({ subject, subject_name: name }) => ({ subject: name ?? subject }),
);
