// One entry of the audit trail: what was before, and what is after, side by side.
import type { AuditView } from "../../../src/admin/contract.ts";
import { moment } from "../../core/format.ts";
import { openId } from "../../core/place.ts";
import { LinkButton } from "../../kit/button.tsx";
import { Id } from "../../kit/code.tsx";
import { Drawer } from "../../kit/drawer.tsx";
import { Facts } from "../../kit/figures.tsx";
import { Table } from "../../kit/table.tsx";
import type { Steps } from "../../shell/list-page.tsx";
import { t } from "./words.ts";

type DetailOptions = { entry: AuditView } & Steps;

export function AuditDetail({ entry, onPrevious, onNext }: DetailOptions) {
  const words = t();
  const { action, actor, actor_role: role, carrier, ip, at, id } = entry;
  const search = new URLSearchParams({
    target_kind: entry.target_kind,
    target_id: entry.target_id,
  });
  return (
    <Drawer title={action} {...{ onPrevious, onNext }} onClose={() => openId(null)}>
      <Facts
        pairs={[
          [words.at, moment(at, "full")],
          [words.actor, actor === null ? words.nobody : `${actor}${role ? ` (${role})` : ""}`],
          [words.carrier, words.carriers[carrier]],
          [words.ip, ip],
          [words.target, <Target entry={entry} />],
          [words.id, <Id text={id} />],
        ]}
      />
      <Changes changes={entry.changes} />
      <div class="row wraps">
        <LinkButton icon="audit" href={`/console/audit?${search}`}>
          {words.sameTarget}
        </LinkButton>
        <LinkButton icon="audit" href={`/console/audit?${new URLSearchParams({ action })}`}>
          {words.sameAction}
        </LinkButton>
      </div>
    </Drawer>
  );
}

/** Word for the kind of a thing; one that came later than the words is shown as it is. */
export function kindText(kind: string): string {
  const known: Readonly<Record<string, string>> = t().kinds;
  return known[kind] ?? kind;
}

function Target({ entry: { target_kind, target_id, target_name } }: { entry: AuditView }) {
  return (
    <span class="row wraps">
      {kindText(target_kind)} {target_name} <Id text={target_id} />
    </span>
  );
}

interface Change {
  name: string;
  from: string | null;
  to: string;
}

function Changes({ changes }: { changes: AuditView["changes"] }) {
  const words = t();
  const rows = Object.entries(changes).map(([name, value]) => toChange(name, value));
  if (rows.length === 0) return <p class="faint">{words.noChanges}</p>;
  return (
    <>
      <h3>{words.changes}</h3>
      <div class="scrolls">
        <Table<Change>
          label={words.changes}
          rows={rows}
          idOf={({ name }) => name}
          columns={[
            { name: "field", head: words.field, cell: ({ name }) => name },
            {
              name: "from",
              head: words.from,
              cell: ({ from }) => <span class="mono faint wrap">{from ?? "–"}</span>,
              hasHead: true,
            },
            {
              name: "to",
              head: words.to,
              cell: ({ to }) => <span class="mono wrap">{to}</span>,
              hasHead: true,
            },
          ]}
        />
      </div>
    </>
  );
}

/** A change of a thing that was there before says from what to what. */
function toChange(name: string, value: unknown): Change {
  if (isStep(value)) return { name, from: textOf(value.from), to: textOf(value.to) };
  return { name, from: null, to: textOf(value) };
}

function isStep(value: unknown): value is { from: unknown; to: unknown } {
  return typeof value === "object" && value !== null && "from" in value && "to" in value;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "–");
}
