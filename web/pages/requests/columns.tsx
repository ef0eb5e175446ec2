// A request in one line.
import type { LogView } from "../../../src/admin/contract.ts";
import { compact, count, lately, millis, moment } from "../../core/format.ts";
import { Amount } from "../../kit/rest/amount.tsx";
import { may, seesMoney } from "../../core/session.ts";
import { Badge } from "../../kit/badge.tsx";
import { StatusDot } from "../../kit/request.tsx";
import type { Column } from "../../kit/table.tsx";
import { t } from "./words.ts";

/** Labels have a column where one of the rows has one. */
export function columnsOf(rows: readonly LogView[]): (Column<LogView> | false)[] {
  const words = t();
  const hasLabels = rows.some(({ label }) => label !== null);
  return [
    { name: "time", head: words.time, cell: timeOf, card: "aside" },
    { name: "status", head: words.status, cell: (row) => <StatusDot row={row} />, card: "line" },
    { name: "model", head: words.model, cell: modelOf, card: "title" },
    may("usage.read") && {
      name: "account",
      head: words.account,
      cell: ({ account }) => <span class="cut quiet">{account}</span>,
      yields: "late",
      card: "line",
    },
    { name: "key", head: words.key, cell: ({ key_name }) => key_name, card: "hidden" },
    hasLabels && {
      name: "label",
      head: words.label,
      cell: ({ label }) => label,
      yields: "late",
      card: "line",
    },
    may("usage.read") && { name: "channel", head: words.channel, cell: channelOf, card: "line" },
    ...tokens(hasLabels ? "soon" : "late"),
    seesMoney("usage.read") && {
      name: "cost",
      head: words.cost,
      cell: costOf,
      isRight: true,
      card: "line",
    },
    {
      name: "first",
      head: words.first,
      cell: ({ first_byte_ms }) => <span class="quiet">{millis(first_byte_ms)}</span>,
      isRight: true,
      yields: "late",
      card: "hidden",
    },
    {
      name: "total",
      head: words.total,
      cell: ({ latency_ms }) => millis(latency_ms),
      isRight: true,
      card: "line",
    },
  ];
}

function tokens(yields: "soon" | "late"): Column<LogView>[] {
  const words = t();
  const cell = (value: number) => (
    <span class="quiet" title={count(value)}>
      {value === 0 ? "–" : compact(value)}
    </span>
  );
  const rest = { isRight: true, card: "hidden", yields } as const;
  return [
    { name: "in", head: words.input, cell: ({ input_tokens }) => cell(input_tokens), ...rest },
    { name: "out", head: words.output, cell: ({ output_tokens }) => cell(output_tokens), ...rest },
  ];
}

function timeOf({ time }: LogView) {
  return (
    <span class="quiet number" title={moment(time, "full")}>
      {lately(time)}
    </span>
  );
}

function modelOf({ model, format, kind, error_message: refusal }: LogView) {
  return (
    <span class="row drops">
      <span class="cut strong">{model || "–"}</span>
      {refusal === null ? (
        <span class="faint">{kind === "task" ? t().taskEnd : format}</span>
      ) : (
        <span class="faint cut" title={refusal}>
          {refusal}
        </span>
      )}
    </span>
  );
}

function channelOf({ channel, attempts = 0 }: LogView) {
  return (
    <span class="row">
      <span class="cut quiet">{channel ?? "–"}</span>
      {attempts > 1 && <Badge tone="warn">{t().tries(attempts)}</Badge>}
    </span>
  );
}

function costOf({ micros }: LogView) {
  return micros === 0 ? <span class="faint">–</span> : <Amount micros={micros} />;
}
