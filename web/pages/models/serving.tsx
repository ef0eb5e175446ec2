// Use of a model in the last days: by each channel that served it, for those who run the gateway,
// and one's own otherwise.
import type { ComponentChildren } from "preact";
import type { ModelView, SeriesAnswer, SeriesSums } from "../../../src/admin/contract.ts";
import { count, millis, percent } from "../../core/format.ts";
import { Amount } from "../../kit/rest/amount.tsx";
import { addressOf } from "../../core/place.ts";
import { spanOf } from "../../core/time/range.ts";
import { useSeries } from "../../core/series.ts";
import { may } from "../../core/session.ts";
import { Badge } from "../../kit/badge.tsx";
import { LinkButton } from "../../kit/button.tsx";
import { Card, Facts } from "../../kit/figures.tsx";
import { Table, type Column } from "../../kit/table.tsx";
import { t } from "./words.ts";

type Serving = NonNullable<ModelView["channels"]>[number];

interface Row {
  channel: Serving;
  sums: Sums | null;
}

interface Sums {
  requests: number;
  attempts: number;
  attemptFailures: number;
  micros: number;
  input: number;
  cached: number;
  /** The median of the last day that has one. */
  firstMs: number | null;
}

const most = 100;

export function Serving({ view }: { view: ModelView }) {
  const words = t();
  const by = may("channels.read") ? "channel" : "none";
  const { data } = useSeries(spanOf("30d"), { model: view.id, by, top: most });
  if (!may("channels.read")) return data && <OwnUse view={view} sums={data.sum} />;
  const rows = (view.channels ?? []).map((channel) => ({
    channel,
    sums: sumsOf(data, channel.id),
  }));
  return (
    <Card title={words.channels} note={words.lastDays(30)} isFlush>
      <Table<Row>
        label={words.channels}
        rows={rows}
        idOf={({ channel }) => channel.id}
        columns={columns()}
      />
    </Card>
  );
}

function sumsOf(answer: SeriesAnswer | null, id: string): Sums | null {
  const points = answer?.series.find(({ name }) => name === id)?.points ?? [];
  if (points.length === 0) return null;
  const sum = (read: (point: SeriesSums) => number) =>
    points.reduce((all, point) => all + read(point), 0);
  return {
    requests: sum((point) => point.requests),
    attempts: sum((point) => point.attempts ?? 0),
    attemptFailures: sum((point) => point.attempt_failures ?? 0),
    micros: sum((point) => point.micros),
    input: sum((point) => point.input_tokens),
    cached: sum((point) => point.cache_read_tokens),
    firstMs: points.findLast(({ first_byte }) => first_byte !== null)?.first_byte?.p50 ?? null,
  };
}

function columns(): Column<Row>[] {
  const words = t();
  const right = { isRight: true, card: "line", hasHead: true } as const;
  const read = (show: (sums: Sums) => ComponentChildren) => (row: Row) =>
    row.sums ? show(row.sums) : "–";
  return [
    { name: "name", head: words.channel, cell: Name },
    {
      name: "success",
      head: words.success,
      ...right,
      cell: read(({ attempts, attemptFailures: bad }) => percent(attempts - bad, attempts, 2)),
    },
    { name: "tries", head: words.tries, ...right, cell: read(({ attempts }) => count(attempts)) },
    {
      name: "first",
      head: words.firstByte,
      ...right,
      cell: read(({ firstMs }) => millis(firstMs)),
    },
    {
      name: "cached",
      head: words.cachedShare,
      ...right,
      cell: read(({ cached, input }) => percent(cached, input)),
    },
    {
      name: "spend",
      head: words.charged,
      ...right,
      cell: read(({ micros }) => <Amount micros={micros} />),
    },
  ];
}

function Name({ channel: { id, name, priority, state } }: Row) {
  const words = t();
  return (
    <span class="row wraps">
      <a class="link cut" href={addressOf("channels", id)}>
        {name}
      </a>
      <span class="faint">{words.priorityOf(priority)}</span>
      {state !== "open" && <Badge tone="warn">{words.channelStates[state]}</Badge>}
    </span>
  );
}

/** Success, speed and cached share as one has met them oneself. */
function OwnUse({ view, sums }: { view: ModelView; sums: SeriesSums }) {
  const words = t();
  const { requests, failures, micros, input_tokens: input, cache_read_tokens: cached } = sums;
  if (requests === 0) return null;
  const tools = (
    <LinkButton kind="plain" isSmall icon="requests" href={requestsOf(view.id)}>
      {words.requestsOf}
    </LinkButton>
  );
  return (
    <Card title={words.ownUse} note={words.lastDays(30)} {...{ tools }}>
      <Facts
        pairs={[
          [words.requests, count(requests)],
          [words.success, percent(requests - failures, requests, 2)],
          [words.firstByte, millis(sums.first_byte?.p50 ?? null)],
          input > 0 && [words.cachedShare, percent(cached, input)],
          [words.charged, <Amount micros={micros} />],
        ]}
      />
    </Card>
  );
}

export function requestsOf(model: string): string {
  return `${addressOf("requests")}?range=30d&model=${encodeURIComponent(model)}`;
}
