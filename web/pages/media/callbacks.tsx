// Recipients of a task's end.
import type { OwnDeliveryView } from "../../../src/admin/contract.ts";
import { count, lately } from "../../core/format.ts";
import { addressOf } from "../../core/place.ts";
import { Dot } from "../../kit/badge.tsx";
import { Table } from "../../kit/table.tsx";
import { t } from "./words.ts";

export function Callbacks({ rows }: { rows: readonly OwnDeliveryView[] }) {
  const words = t();
  return (
    <section class="stack" aria-label={words.callbacks}>
      <h3>{words.callbacks}</h3>
      <Table
        label={words.callbacks}
        rows={rows}
        idOf={({ id }) => id}
        columns={[
          {
            name: "event",
            head: words.event,
            cell: ({ id, event }) => <a href={addressOf("webhooks", id)}>{event}</a>,
          },
          {
            name: "tries",
            head: words.tries,
            cell: ({ attempts }) => count(attempts),
            isRight: true,
          },
          { name: "at", head: words.created, cell: ({ created_at }) => lately(created_at) },
          { name: "state", head: words.state, cell: (one) => <Outcome row={one} />, card: "aside" },
        ]}
      />
    </section>
  );
}

function Outcome({ row }: { row: OwnDeliveryView }) {
  if (row.delivered_at !== null) return <Dot tone="good">{row.status}</Dot>;
  const text = row.status ?? row.error ?? t().waiting;
  return <Dot tone={row.next_attempt_at === null ? "bad" : "warn"}>{text}</Dot>;
}
