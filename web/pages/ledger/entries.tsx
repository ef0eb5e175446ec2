// The lines of the ledger, under the equation of the account that they are of.
import { exactMoney } from "../../core/format.ts";
import { query, setQuery } from "../../core/place.ts";
import { startAsked } from "../../core/time/range.ts";
import { may, scopedAt, seatRole } from "../../core/session.ts";
import { Badge } from "../../kit/badge.tsx";
import { DayRange } from "../../kit/range.tsx";
import type { Column } from "../../kit/table.tsx";
import { CsvLink, ListView, type Filter } from "../../shell/list-page.tsx";
import { titleOf } from "../titles.ts";
import { EntryDetail } from "./detail.tsx";
import { Equation } from "./equation.tsx";
import { kindTones, Moment, signedMoney, type Entry } from "./parts.tsx";
import { t } from "./words.ts";

export function Entries() {
  const account = may("money.read") ? query.value.get("account") : null;
  return (
    <ListView
      label={titleOf("ledger")}
      at={scopedAt("GET /api/ledger", "GET /api/ledger/self", "money.read")}
      isByCursor
      words={t()}
      filters={filters()}
      columns={columns()}
      rowKey={({ id, kind }) => `${kind} ${id}`}
      open={({ row, ...opened }) => <EntryDetail key={opened.id} entry={row} {...opened} />}
      tools={(_, path) => (
        <>
          <DayRange />
          {may("money.read") && <CsvLink path={path} name="ledger" />}
        </>
      )}
      above={seatRole() !== "member" && <Equation account={account} />}
    />
  );
}

type LedgerFilter = "account" | "kind" | "loss" | "key" | "id" | "from" | "to";

/** Losses are no kind of lines, and stand among the kinds. */
function filters(): (Filter<LedgerFilter> | false)[] {
  const words = t();
  const { key, id, kind, anyKind: all, entryKinds } = words;
  const isAll = may("money.read");
  return [
    isAll && { name: "account", label: words.searchAccount },
    {
      name: "kind",
      label: kind,
      all,
      choices: { ...entryKinds, ...(isAll && { loss: words.losses }) },
      ...(query.value.has("loss") && { value: "loss" }),
      onChange: (next) =>
        setQuery({
          kind: next === "loss" ? null : next,
          loss: next === "loss" ? "true" : null,
          cursor: null,
        }),
    },
    isAll && { name: "loss", label: words.losses, isLinked: "hidden" },
    { name: "from", label: words.at, isLinked: "hidden", asked: startAsked },
    { name: "to", label: words.at, isLinked: "hidden", asked: startAsked },
    { name: "key", label: key, isLinked: "chip" },
    { name: "id", label: id, isLinked: "chip" },
  ];
}

function columns(): (Omit<Column<Entry>, "sort"> | false)[] {
  const words = t();
  return [
    { name: "at", head: words.at, cell: ({ at }) => <Moment at={at} />, card: "line" },
    {
      name: "kind",
      head: words.kind,
      cell: ({ kind }) => <Badge tone={kindTones[kind]}>{words.entryKinds[kind]}</Badge>,
    },
    may("money.read") && { name: "account", head: words.account, cell: ({ account }) => account },
    {
      name: "what",
      head: words.modelOrReason,
      cell: ({ model, reason }) => model ?? reason ?? <span class="faint">–</span>,
      card: "title",
    },
    {
      name: "held",
      head: words.held,
      cell: ({ held_micros: held, kind }) =>
        kind === "grant" ? <span class="faint">–</span> : exactMoney(held),
      isRight: true,
      yields: "late",
      card: "hidden",
    },
    {
      name: "back",
      head: words.givenBack,
      cell: ({ given_back_micros: back, kind }) =>
        kind === "grant" ? <span class="faint">–</span> : exactMoney(back),
      isRight: true,
      yields: "late",
      card: "hidden",
    },
    may("money.read") && {
      name: "loss",
      head: words.loss,
      cell: ({ loss_micros: loss = 0 }) =>
        loss === 0 ? <span class="faint">–</span> : <span class="bad">{exactMoney(loss)}</span>,
      isRight: true,
      card: "hidden",
    },
    { name: "micros", head: words.amount, cell: signedMoney, isRight: true, card: "aside" },
  ];
}
