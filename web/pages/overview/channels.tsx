// State of each channel: by attempts, as a request is booked only on the channel that served it.
import type { ChannelView, SeriesAnswer } from "../../../src/admin/contract.ts";
import { usePolled } from "../../core/control.ts";
import { count, millis, money, percent } from "../../core/format.ts";
import { addressOf } from "../../core/place.ts";
import { spanOf } from "../../core/time/range.ts";
import { seesMoney } from "../../core/session.ts";
import { startsOf, stepLabel, useSeries } from "../../core/series.ts";
import { Badge, Dot, type Tone } from "../../kit/badge.tsx";
import { LinkButton } from "../../kit/button.tsx";
import { Strip } from "../../kit/chart/small.tsx";
import { Empty } from "../../kit/empty.tsx";
import { Card } from "../../kit/figures.tsx";
import { ShortList, type Column } from "../../kit/table.tsx";
import { t } from "./words.ts";

const channelsMs = 15_000;
const sumsMs = 60_000;
const shownMax = 12;

const tones: Partial<Record<ChannelView["health"]["state"], Tone>> = {
  open: "good",
  ejected: "bad",
  disabled: "none",
};

export function Channels() {
  const words = t();
  const loaded = usePolled(channelsMs, "GET /api/channel", { query: { page_size: shownMax } });
  const sums = useSeries(spanOf("24h"), { by: "channel", top: 100 }, sumsMs);
  // Channels that do not fit are behind the link.
  const data = loaded.data && { items: loaded.data.items };
  const all = (
    <LinkButton kind="plain" isSmall href={addressOf("channels")}>
      {words.allChannels}
    </LinkButton>
  );
  return (
    <Card title={words.channels} note={words.lastDay} tools={all} isFlush>
      <ShortList
        label={words.channels}
        loaded={{ ...loaded, data }}
        columns={columnsOf(sums.data)}
        idOf={({ id }) => id}
        empty={<Empty title={words.noChannels} text={words.noChannelsText} />}
      />
    </Card>
  );
}

interface Day {
  attempts: number;
  failures: number;
  /** Requests that ended here without an answer, by whosever fault. */
  unserved: number;
  micros: number;
  firstMs: number | null;
  parts: { good: number; all: number; title: string }[];
}

function dayOf(answer: SeriesAnswer | null, id: string): Day | null {
  const points = answer?.series.find(({ name }) => name === id)?.points ?? [];
  if (!answer || points.length === 0) return null;
  const byStart = new Map(points.map((point) => [point.at, point]));
  const parts = startsOf(answer).map((at) => {
    const { attempts: all = 0, attempt_failures: bad = 0 } = byStart.get(at) ?? {};
    return {
      good: all - bad,
      all,
      title: `${stepLabel(at, answer.step)}, ${percent(all - bad, all)}`,
    };
  });
  const attempts = parts.reduce((sum, { all }) => sum + all, 0);
  const good = parts.reduce((sum, part) => sum + part.good, 0);
  const micros = points.reduce((sum, point) => sum + point.micros, 0);
  const unserved = points.reduce((sum, point) => sum + point.failures, 0);
  return { attempts, failures: attempts - good, unserved, micros, firstMs: slowOf(points), parts };
}

/** The median of the last hour that had one. */
function slowOf(points: SeriesAnswer["series"][number]["points"]): number | null {
  return points.findLast(({ first_byte }) => first_byte !== null)?.first_byte?.p50 ?? null;
}

function columnsOf(answer: SeriesAnswer | null): (Column<ChannelView> | false)[] {
  const words = t();
  const days = (view: ChannelView) => dayOf(answer, view.id);
  return [
    { name: "name", head: words.name, cell: nameOf, card: "title" },
    { name: "success", head: words.success, cell: (view) => stripOf(days(view)), card: "line" },
    {
      name: "first",
      head: words.first,
      cell: (view) => millis(days(view)?.firstMs ?? null),
      isRight: true,
      card: "line",
    },
    {
      name: "flight",
      head: words.inFlight,
      cell: ({ in_flight }) => count(in_flight),
      isRight: true,
      card: "hidden",
    },
    seesMoney("usage.read") && {
      name: "spend",
      head: words.spend,
      cell: (view) => money(days(view)?.micros ?? 0),
      isRight: true,
      card: "aside",
    },
  ];
}

function nameOf({ id, name, health }: ChannelView) {
  const words = t();
  return (
    <Dot tone={tones[health.state] ?? "warn"}>
      <a class="cut strong" href={addressOf("channels", id)}>
        {name}
      </a>
      {health.state !== "open" && <span class="faint">{words.states[health.state]}</span>}
    </Dot>
  );
}

function stripOf(day: Day | null) {
  if (!day) return <span class="faint">{t().noTraffic}</span>;
  const words = t();
  const attempts = words.ofAttempts(count(day.failures), count(day.attempts));
  return (
    <span class="day-strip" title={attempts}>
      <span class="wide">
        <Strip parts={day.parts} label={attempts} />
      </span>
      <span class="number">
        <span>{percent(day.attempts - day.failures, day.attempts)}</span>{" "}
        <span class="faint">{words.attempts(count(day.attempts))}</span>{" "}
        {day.unserved > 0 && <Badge tone="warn">{words.requestsFailed(count(day.unserved))}</Badge>}
      </span>
    </span>
  );
}
