// Renders the findings as markdown and keeps them, with the raw rounds, in bench/results.
import { mkdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import {
  conversionPasses,
  passThrough,
  wayNames,
  type ConversionPass,
} from "../measure/conversions.ts";
import { imageWays } from "../measure/images.ts";
import { logQueries } from "../measure/logs.ts";
import { crowdConnections } from "../measure/memory-passes.ts";
import type { PassName } from "../measure/passes.ts";
import { median } from "../measure/statistics.ts";
import { divide, medianOf, medianOfPairs, type NumberField } from "../measure/rounds.ts";
import { targetNames, type Options, type TargetName } from "../options.ts";
import { aloneHead, aloneRows, loadHead, loadRows } from "./cluster.ts";
import { judge, megabyte, type Findings } from "./verdicts.ts";

type Show = (value: number) => string;
type Column = readonly [title: string, field: NumberField, show: Show];

const titles: Record<TargetName, string> = {
  gateway: "gateway (every feature on)",
  postgres: "gateway on PostgreSQL",
  traced: "gateway with traces on",
  before: "the version before",
  bare: "bare Bun proxy",
  portkey: "@portkey-ai/gateway",
};
const whole: Show = (value) => value.toFixed(0);
const milliseconds: Show = (value) => `${value.toFixed(2)} ms`;
const megabytes: Show = (value) => `${(value / megabyte).toFixed(0)} MB`;

const columns: readonly Column[] = [
  ["per second", "requestsPerSecond", whole],
  ["p50", "p50Ms", milliseconds],
  ["p99", "p99Ms", milliseconds],
  ["CPU us each", "cpuMicrosPerRequest", whole],
  ["RSS peak", "rssBytesPeak", megabytes],
  ["errors", "errors", whole],
];
const conversionColumns = columns.filter(([, field]) => field !== "rssBytesPeak");
const firstByteColumns: readonly Column[] = [
  ["first byte p50", "firstByteP50Ms", milliseconds],
  ["p99 to the end", "p99Ms", milliseconds],
  ["errors", "errors", whole],
];

export function renderReport(findings: Findings, options: Options): string {
  const { rounds, seconds, connections } = options;
  const versions = `Bun ${Bun.version}, ${availableParallelism()} cores`;
  const method = `median of ${rounds} interleaved rounds of ${seconds} s`;
  const sections = [
    "# Bench",
    `${new Date().toISOString()}; ${versions}; ${method}.`,
    ...(rounds === 0 ? [] : renderComparison(findings, connections)),
    ...renderBefore(findings),
    ...renderMemory(findings),
    ...renderConversions(findings, connections),
    ...renderCluster(findings, connections),
    ...renderTasks(findings),
    ...renderLogs(findings),
    ...renderImages(findings),
    ...renderAbsent(findings),
    "## Goals",
    table(
      ["goal", "found", ""],
      judge(findings).map((verdict) => [verdict.goal, verdict.found, verdict.outcome]),
    ),
  ];
  return `${sections.join("\n\n")}\n`;
}

export async function saveReport(markdown: string, json: object): Promise<string> {
  const folder = join(import.meta.dir, "..", "results");
  mkdirSync(folder, { recursive: true });
  const paths = [join(folder, "latest.md"), join(folder, "latest.json")] as const;
  await Bun.write(paths[0], markdown);
  await Bun.write(paths[1], `${JSON.stringify(json, undefined, 2)}\n`);
  // The results lie in the repository, whose check wants every file in the formatter's shape.
  Bun.spawnSync([process.execPath, "fmt", "--no-script", ...paths], {
    cwd: join(import.meta.dir, "..", ".."),
  });
  return folder;
}

function renderComparison(findings: Findings, connections: number): string[] {
  const section = (pass: PassName, shown: readonly Column[]): string => {
    const rows = targetNames.flatMap((name) => {
      if (findings.rounds[pass][name] === undefined) return [];
      const cells = shown.map(([, field, show]) =>
        show(medianOf(findings.rounds[pass], name, field) ?? 0),
      );
      return [[titles[name], ...cells]];
    });
    return table(["", ...shown.map(([title]) => title)], rows);
  };
  return [
    `## Requests (${connections} connections)`,
    section("request", columns),
    "## Streams of 60 chunks (16 connections, 2 ms between chunks)",
    section("stream", columns),
    "## First byte of the body, one connection: requests, then one-chunk streams",
    section("requestFirstByte", firstByteColumns),
    section("streamFirstByte", firstByteColumns),
  ];
}

/** Both versions in the same rounds: what changed, and how far the rounds lie apart. */
function renderBefore({ rounds }: Findings): string[] {
  const pairs: [string, PassName, NumberField][] = [
    ["CPU per request", "request", "cpuMicrosPerRequest"],
    ["CPU per stream", "stream", "cpuMicrosPerRequest"],
    ["first byte of a request", "requestFirstByte", "firstByteP50Ms"],
    ["first byte of a stream", "streamFirstByte", "firstByteP50Ms"],
    ["RSS peak, requests", "request", "rssBytesPeak"],
    ["RSS peak, streams", "stream", "rssBytesPeak"],
  ];
  const rows = pairs.flatMap(([title, pass, field]) => {
    const [now, before] = [rounds[pass].gateway ?? [], rounds[pass].before ?? []];
    const ratios = now.flatMap((measure, round) => {
      const other = before[round];
      return other ? [measure[field] / other[field]] : [];
    });
    if (ratios.length === 0) return [];
    const shown = [median(ratios), Math.min(...ratios), Math.max(...ratios)];
    return [[title, ...shown.map((ratio) => `${ratio.toFixed(3)} x`)]];
  });
  if (rows.length === 0) return [];
  return ["## Beside the version before", table(["now / before", "median", "least", "most"], rows)];
}

function renderMemory(findings: Findings): string[] {
  const rows: string[][] = [];
  for (const name of targetNames) {
    const crowd = findings.crowd[name];
    const open = findings.openStreams[name];
    const soak = findings.soak[name];
    const add = (what: string, count: string, rss: string): number =>
      rows.push([titles[name], what, count, rss]);
    if (crowd !== undefined)
      add(
        `${crowdConnections} connections`,
        `${crowd.count} served, ${crowd.errors} errors`,
        megabytes(crowd.rssBytesPeak),
      );
    if (soak !== undefined)
      add(
        "soak, after each tenth",
        `${soak.count} served, ${soak.errors} errors`,
        `${soak.rssBytesAfterSlice.map((bytes) => whole(bytes / megabyte)).join(" ")} MB`,
      );
    if (open !== undefined)
      add(
        `${findings.openStreamsAsked} streams asked`,
        `${open.openStreams} open`,
        megabytes(open.rssBytesPeak),
      );
  }
  return rows.length === 0 ? [] : ["## Memory", table(["", "under", "load", "RSS"], rows)];
}

function renderConversions({ conversions }: Findings, connections: number): string[] {
  const section = (pass: ConversionPass): string => {
    const series = conversions.rounds[pass];
    const rows = wayNames.flatMap((name) => {
      if (series[name] === undefined) return [];
      const cells = conversionColumns.map(([, field, show]) =>
        show(medianOf(series, name, field) ?? 0),
      );
      const ratio = medianOfPairs(series, [name, passThrough], "cpuMicrosPerRequest", divide) ?? 0;
      return [[name, ...cells, `${ratio.toFixed(2)} x`]];
    });
    const titles = conversionColumns.map(([title]) => title);
    return table(["client to upstream", ...titles, "CPU ratio"], rows);
  };
  if (conversions.rounds.request[passThrough] === undefined) return [];
  return [
    `## Conversion: requests (${connections} connections), then streams of 60 chunks`,
    ...conversionPasses.map(section),
  ];
}

function renderCluster({ cluster }: Findings, connections: number): string[] {
  if (cluster === undefined) return [];
  return [
    `## Nodes on one PostgreSQL (requests, ${connections} connections in all)`,
    table(loadHead, loadRows(cluster)),
    table(aloneHead, aloneRows(cluster)),
  ];
}

function renderTasks({ tasks }: Findings): string[] {
  if (tasks === undefined) return [];
  const { created, atOnce, heldBack, paceMs, pollsPerChannel } = tasks;
  const seconds: Show = (value) => `${(value / 1_000).toFixed(2)} s`;
  const idle = megabytes(tasks.rssBytesIdle);
  const rows: [string, string][] = [
    ["created per second", `${whole(created.requestsPerSecond)}, ${created.errors} errors`],
    ["CPU us a task created", whole(created.cpuMicrosPerRequest)],
    ["polls per second", whole(tasks.pollsPerSecond)],
    ["CPU us a poll", whole(tasks.cpuMicrosPerPoll)],
    ["between two polls, p50", seconds(atOnce.waitP50Ms)],
    ["between two polls, p99", seconds(atOnce.waitP99Ms)],
    ["between two polls, most", seconds(atOnce.waitMostMs)],
    ["late at p50, chance included", seconds(tasks.lateP50Ms)],
    ["late at p99, chance included", seconds(tasks.lateP99Ms)],
    ["RSS peak", `${megabytes(tasks.rssBytesPeak)} (${idle} before the first task)`],
    ["answer to one task more than its channel may have", `${tasks.statusAbove}`],
    ["polls open at once, slow vendor", `${heldBack.openMost} of ${pollsPerChannel}`],
  ];
  return [
    `## Tasks (${atOnce.jobs} in flight, each polled every ${seconds(paceMs)} or so)`,
    table(["", "gateway"], rows),
  ];
}

function renderLogs({ logs }: Findings): string[] {
  if (logs === undefined) return [];
  const rows = logQueries.map((name) => {
    const { p50Ms, p99Ms, items } = logs.timings[name];
    return [name, milliseconds(p50Ms), milliseconds(p99Ms), whole(items)];
  });
  const ofConsole = logs.console.map(({ route, p50Ms, p95Ms }) => [
    `\`${route}\``,
    milliseconds(p50Ms),
    milliseconds(p95Ms),
  ]);
  const written = `written in ${whole(logs.fillSeconds)} s`;
  return [
    `## Logs (${logs.rows} rows of a month, ${written})`,
    table(["over HTTP, one after the other", "p50", "p99", "items"], rows),
    `## Console (first views, ${logs.rows} rows of the log and of the ledger)`,
    table(["route", "p50", "p95"], ofConsole),
  ];
}

function renderImages({ images }: Findings): string[] {
  if (images === undefined) return [];
  const rows = imageWays.map((way) => {
    const { served, errors, seconds, cpuMillisEach, rssBytesPeak } = images.passes[way];
    const shown = `${served} served, ${errors} errors`;
    return [way, shown, `${seconds.toFixed(1)} s`, whole(cpuMillisEach), megabytes(rssBytesPeak)];
  });
  const size = megabytes(images.base64Bytes);
  const idle = megabytes(images.rssBytesIdle);
  return [
    `## Images (${images.atOnce} of ${size} at once, ${images.rounds} times; ${idle} after one)`,
    table(["as", "load", "in", "CPU ms each", "RSS peak"], rows),
  ];
}

function renderAbsent({ absent, conversions }: Findings): string[] {
  const lines = Object.entries({ ...absent, ...conversions.absent }).map(
    ([name, why]) => `- ${name}: ${why}`,
  );
  return lines.length === 0 ? [] : ["## Not measured", lines.join("\n")];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
