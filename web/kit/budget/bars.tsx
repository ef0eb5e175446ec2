// Bars of what is spent of budgets, on their page and beside keys, and what a budget is for.
import type { BudgetState, BudgetView, BudgetWindowView } from "../../../src/admin/contract.ts";
import { clock, money, moment, percent } from "../../core/format.ts";
import { zoneLabel } from "../../core/time/zone.ts";
import { Meter } from "../badge.tsx";
import { usedShareOf, type WindowSums } from "./share.ts";
import { t } from "./words.ts";

export function SpentOf({ window }: { window: WindowSums }) {
  const { limit_micros: limit, spent_micros: spent } = window;
  const share = usedShareOf(window);
  const text =
    limit !== null && spent !== null
      ? t().usedOf(money(spent), money(limit))
      : t().usedShare(percent(share, 1, 0));
  return (
    <div class="used">
      <span class="number">{text}</span>
      <Meter part={share} label={text} />
    </div>
  );
}

interface AnewOptions {
  window: Pick<BudgetWindowView, "opened_at" | "resets_at">;
  /** Under a heading that says what begins anew. */
  isShort?: boolean;
}

export function Anew({ window, isShort = false }: AnewOptions) {
  const words = t();
  const { opened_at: opened, resets_at: resets } = window;
  if (opened === null) return <span class="faint">{words.nextRequest}</span>;
  if (resets === null) return <span class="faint">{words.never}</span>;
  if (!isShort) return <span class="faint">{words.anew(moment(resets, "full"))}</span>;
  return (
    <span class="faint" title={moment(resets, "full")}>
      {`${moment(resets, "date")} ${clock(resets)} ${zoneLabel(resets)}`}
    </span>
  );
}

export function forWhom({
  scope,
  subject,
  subject_name: name,
}: Pick<BudgetView, "scope" | "subject" | "subject_name">): string {
  const words = t();
  if (scope === "account") return words.scopes.account;
  if (subject === null) return words.each[scope];
  return words.one(words.singular[scope], name ?? subject);
}

const dayHours = 24;

export function everyOf({ period, hours }: Pick<BudgetView, "period" | "hours">): string {
  const words = t();
  if (period !== "hours" || hours === null) return words.periods[period];
  const isOfDays = hours > dayHours && hours % dayHours === 0;
  return isOfDays ? words.daysOf(hours / dayHours) : words.hoursOf(hours);
}

/** All budgets that somebody falls under, the parents' too. */
export function BudgetBars({ states }: { states: readonly BudgetState[] }) {
  if (states.length === 0) return <p class="faint">{t().noBudgets}</p>;
  return (
    <ul class="stack">
      {states.map((state) => (
        <li key={`${state.id} ${state.subject ?? ""}`} class="stack">
          <span class="row">
            {state.name ?? t().unnamed}
            <span class="faint">{forWhom({ ...state, subject: null })}</span>
          </span>
          <SpentOf window={state} />
          <Anew window={state} />
        </li>
      ))}
    </ul>
  );
}
