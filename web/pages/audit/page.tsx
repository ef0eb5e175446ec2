// The audit trail: who did what to which thing, when, and from where. Entries never change.
import { clock, moment } from "../../core/format.ts";
import { Badge } from "../../kit/badge.tsx";
import { CsvLink, ListPage, type ColumnOf } from "../../shell/list-page.tsx";
import { AuditDetail } from "./detail.tsx";
import { t } from "./words.ts";

export function Page() {
  const words = t();
  return (
    <ListPage
      name="audit"
      at="GET /api/audit"
      words={words}
      filters={[
        { name: "actor", label: words.searchActor },
        { name: "carrier", label: words.carrier, all: words.anyCarrier, choices: words.carriers },
        { name: "action", label: words.action, isLinked: "chip" },
        { name: "target_kind", label: words.target, isLinked: "chip" },
        { name: "target_id", label: words.target, isLinked: "chip" },
      ]}
      columns={columns()}
      open={({ row, ...steps }) => row && <AuditDetail entry={row} {...steps} />}
      tools={(_, path) => <CsvLink path={path} name="audit" />}
    />
  );
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
      cell: ({ target_kind: kind, target_id: id }) => (
        <span class="wrap">
          {kind} <span class="mono faint">{id}</span>
        </span>
      ),
    },
    {
      name: "ip",
      head: words.ip,
      cell: ({ ip }) => <span class="mono faint">{ip ?? "–"}</span>,
      card: "hidden",
    },
  ];
}
