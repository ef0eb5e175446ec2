// State of the process, against the bounds from which on it takes no more.
import type { StatusView } from "../../../src/admin/contract.ts";
import { usePolled } from "../../core/control.ts";
import { bytes, count, millis } from "../../core/format.ts";
import { Meter } from "../../kit/badge.tsx";
import { Tile, Tiles } from "../../kit/figures.tsx";
import { t } from "./words.ts";

const everyMs = 5000;

export function Gauges({ running }: { running: number | null }) {
  const words = t();
  const { data } = usePolled(everyMs, "GET /api/status");
  return (
    <Tiles>
      <Tile
        name={words.running}
        value={running === null ? null : count(running)}
        note={data && words.channels(count(data.channels.enabled), count(data.channels.ejected))}
      />
      {data?.process && <Process process={data.process} />}
      <Tile
        name={words.journal}
        value={data ? count(data.journal.queue) : null}
        note={data && words.oldest(millis(data.journal.oldest_ms))}
      />
      {data && !data.process && (
        <Tile name={words.uptime} value={spanText(data.uptime_seconds)} note={data.version} />
      )}
    </Tiles>
  );
}

function Process({
  process: { memory, streams, loop_lag_ms: lagMs },
}: {
  process: NonNullable<StatusView["process"]>;
}) {
  const words = t();
  const memoryText = words.of(bytes(memory.used_bytes), bytes(memory.most_bytes));
  const streamsText = words.of(count(streams.open), count(streams.most));
  return (
    <>
      <Tile
        name={words.streams}
        value={count(streams.open)}
        note={<Meter part={streams.open / Math.max(1, streams.most)} label={streamsText} />}
      />
      <Tile
        name={words.memory}
        value={bytes(memory.used_bytes)}
        note={<Meter part={memory.used_bytes / memory.most_bytes} label={memoryText} />}
      />
      <Tile name={words.lag} value={millis(lagMs)} note={words.lagNote} />
    </>
  );
}

function spanText(seconds: number): string {
  const words = t();
  if (seconds < 3600) return millis(Math.floor(seconds) * 1000);
  if (seconds < 172_800) return words.hours(count(Math.floor(seconds / 3600)));
  return words.days(count(Math.floor(seconds / 86_400)));
}
