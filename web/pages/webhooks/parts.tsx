// Outcome of a delivery, and the tries that were made, in the list and in the detail.
import type {
  OwnDeliveryView,
  WebhookDeliveryView,
  WebhookTryView,
} from "../../../src/admin/contract.ts";
import { lately, millis } from "../../core/format.ts";
import { Dot } from "../../kit/badge.tsx";
import { Code } from "../../kit/code.tsx";
import { Table } from "../../kit/table.tsx";
import { t } from "./words.ts";

/** Fields of everyone's deliveries that one's own leave out are optional. */
export type Shown = OwnDeliveryView & Partial<WebhookDeliveryView>;

export function waits({ delivered_at, next_attempt_at }: Shown): boolean {
  return delivered_at === null && next_attempt_at !== null;
}

export function DeliveryState({ row }: { row: Shown }) {
  const words = t();
  const status = row.status === null ? "" : ` ${row.status}`;
  if (row.delivered_at !== null) return <Dot tone="good">{words.delivered + status}</Dot>;
  if (row.next_attempt_at === null) return <Dot tone="bad">{words.givenUp + status}</Dot>;
  return <Dot tone="warn">{(row.attempts === 0 ? words.due : words.triedAgain) + status}</Dot>;
}

export function Tries({ tries }: { tries: readonly WebhookTryView[] }) {
  const words = t();
  return (
    <Table
      label={words.tries}
      rows={tries.map((one, at) => ({ ...one, order: String(at) })).toReversed()}
      idOf={({ order }) => order}
      columns={[
        { name: "at", head: words.at, cell: ({ at }) => lately(at), card: "title" },
        { name: "took", head: words.took, cell: ({ took_ms }) => millis(took_ms), isRight: true },
        { name: "outcome", head: words.state, cell: (one) => <Outcome one={one} />, card: "aside" },
      ]}
    />
  );
}

export function Outcome({ one: { status, error } }: { one: WebhookTryView }) {
  const isGood = status !== null && status >= 200 && status < 300;
  return (
    <Dot tone={isGood ? "good" : "bad"}>
      <span class="wrap">{status ?? error ?? t().noAnswer}</span>
    </Dot>
  );
}

export function Headers({ headers }: { headers: Readonly<Record<string, string>> }) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <section class="stack" aria-label={t().headers}>
      <h3>{t().headers}</h3>
      <Code text={lines.join("\n")} wraps />
    </section>
  );
}

/** Body as it is signed, to the byte: it is not made prettier. */
export function Body({ text }: { text: string }) {
  return (
    <section class="stack" aria-label={t().body}>
      <h3>{t().body}</h3>
      <Code text={text} wraps />
    </section>
  );
}
