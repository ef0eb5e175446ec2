// The audit trail: who did what to which thing, when, and from where. Entries never change.
import { clock, moment } from "../../core/format.ts";
import { query, setQuery } from "../../core/place.ts";
import { startAsked } from "../../core/time/range.ts";
import { Badge } from "../../kit/badge.tsx";
import { DayRange } from "../../kit/range.tsx";
import { CsvLink, ListPage, type ColumnOf, type Filter } from "../../shell/list-page.tsx";
import { AuditDetail, kindText } from "./detail.tsx";
import { t } from "./words.ts";

const daySeconds = 86_400;
const sinceChoices = [1, 7, 30, 90].map((days) => days * daySeconds);

export function Page() {
  const words = t();
  const since = sinceFilter();
  return (
    <ListPage
      name="audit"
      at="GET /api/audit"
      words={words}
      filters={[
        { name: "actor", label: words.searchActor },
        { name: "carrier", label: words.carrier, all: words.anyCarrier, choices: words.carriers },
        { name: "target_kind", label: words.target, all: words.anyTarget, choices: words.kinds },
        { ...since, asked: startAsked },
        { name: "to", label: words.since, isLinked: "hidden", asked: startAsked },
        { name: "action", label: words.action, isLinked: "chip" },
        { name: "target_id", label: words.target, isLinked: "chip" },
      ]}
      columns={columns()}
      open={({ row, ...steps }) => row && <AuditDetail entry={row} {...steps} />}
      tools={(_, path) => (
        <>
          <DayRange />
          <CsvLink path={path} name="audit" />
        </>
      )}
    />
  );
}

/** The moment from which on, chosen by how long ago it was. */
function sinceFilter(): Filter<"from"> {
  const words = t();
  const from = query.value.get("from") ?? "";
  const now = Math.floor(Date.now() / 1000);
  // The address has the moment, which the next minute is no longer as long ago.
  const near = sinceChoices.find(
    (seconds) => from !== "" && Math.abs(now - seconds - Number(from)) < seconds / 10,
  );
  const choices = Object.fromEntries(
    sinceChoices.map((seconds) => [String(seconds), words.lastDays(seconds / daySeconds)]),
  );
  return {
    name: "from",
    label: words.since,
    all: words.anyTime,
    choices,
    value: near === undefined ? "" : String(near),
    onChange: (chosen) =>
      setQuery({ from: chosen === "" ? null : String(now - Number(chosen)), p: null }),
  };
}

function columns(): ColumnOf<"GET /api/audit">[] {
  const words = t();
  return [
    {
      name: "at",
      head: words.at,
      cell: ({ at }) => (
        <span class="number" title={moment(at, "full")}>
          {`${moment(at, "day")} ${clock(at, "second")}`}
        </span>
      ),
      card: "aside",
    },
    {
      name: "action",
      head: words.action,
      cell: ({ action }) => <span class="mono">{action}</span>,
      card: "title",
    },
    {
      name: "actor",
      head: words.actor,
      cell: ({ actor }) => actor ?? <span class="faint">{words.nobody}</span>,
    },
    {
      name: "carrier",
      head: words.carrier,
      cell: ({ carrier }) => <Badge>{words.carriers[carrier]}</Badge>,
      card: "hidden",
    },
    {
      name: "target",
      head: words.target,
      cell: ({ target_kind: kind, target_id: id, target_name: name }) => (
        <span class="wrap">
          {kindText(kind)} {name} <span class="mono faint">{id}</span>
        </span>
      ),
    },
    {
      name: "ip",
      head: words.ip,
      cell: ({ ip }) => <span class="mono faint">{ip ?? "–"}</span>,
      yields: "late",
      card: "hidden",
    },
  ];
}
