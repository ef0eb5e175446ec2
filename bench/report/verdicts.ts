// The goals and whether this run met them. A missed goal is a line in the report, never a failure.
import type { AffinityCosts } from "../measure/affinity.ts";
import type { Comparison } from "../measure/comparison.ts";
import {
  conversionNames,
  passThrough,
  type ConversionPass,
  type Conversions,
} from "../measure/conversions.ts";
import type { Cluster } from "../measure/cluster.ts";
import type { Images } from "../measure/images.ts";
import type { LogQuery, Logs } from "../measure/logs.ts";
import { soakRequests, type Soak } from "../measure/memory-passes.ts";
import type { TargetName } from "../options.ts";
import type { Measure } from "../measure/passes.ts";
import type { Tasks } from "../measure/tasks.ts";
import { divide, medianOfPairs } from "../measure/rounds.ts";
import { median } from "../measure/statistics.ts";

export interface Findings {
  readonly rounds: Comparison;
  readonly conversions: Conversions;
  /** Crowds by target, each measured on its own. */
  readonly crowd: Partial<Record<TargetName, Measure>>;
  readonly openStreams: Partial<Record<TargetName, Measure>>;
  readonly soak: Partial<Record<TargetName, Soak>>;
  /** Reason why a target that was asked for is missing. */
  readonly absent: Partial<Record<TargetName, string>>;
  readonly openStreamsAsked: number;
  readonly cluster: Cluster | undefined;
  /** Measured for the gateway alone. */
  readonly tasks: Tasks | undefined;
  readonly logs: Logs | undefined;
  readonly images: Images | undefined;
  readonly affinity: AffinityCosts;
  /** Microseconds in which a request of 1 KB is signed for AWS. */
  readonly signing: number;
}

interface Verdict {
  readonly goal: string;
  readonly found: string;
  readonly outcome: "pass" | "FAIL" | "not measured";
}

export const megabyte = 1_000_000;
const cpu = "cpuMicrosPerRequest";
const flatRatioMax = 1.1;

export function judge(findings: Findings): Verdict[] {
  return [
    ...judgeRatios(findings.rounds),
    judgeConversions(findings.conversions, "request", 1.5),
    judgeConversions(findings.conversions, "stream", 2.5),
    ...judgeMemory(findings),
    ...judgeCluster(findings.cluster),
    ...judgeTasks(findings.tasks),
    ...judgeLogs(findings.logs),
    judgeImages(findings.images),
    judgeAffinity(findings.affinity),
    judgeSigning(findings.signing),
  ];
}

function times(value: number): string {
  return `${value.toFixed(2)} x`;
}

function judgeRatios(rounds: Comparison): Verdict[] {
  const toBare = ["gateway", "bare"] as const;
  const request = medianOfPairs(rounds.request, toBare, cpu, divide);
  const peer = medianOfPairs(rounds.request, ["portkey", "gateway"], cpu, divide);
  const stream = medianOfPairs(rounds.stream, toBare, cpu, divide);
  const firstBytes = (["requestFirstByte", "streamFirstByte"] as const).map((pass) => {
    const subtract = (left: number, right: number): number => left - right;
    const added = medianOfPairs(rounds[pass], toBare, "firstByteP50Ms", subtract);
    const what = pass === "requestFirstByte" ? "request" : "stream";
    const show = (value: number): string => `${value.toFixed(3)} ms`;
    return line(`first byte of a ${what} at p50: < 1 ms added`, added, (value) => value < 1, show);
  });
  return [
    line("CPU per request: <= 1.8 x the bare proxy", request, (value) => value <= 1.8, times),
    line("CPU per request: Portkey >= 8 x the gateway", peer, (value) => value >= 8, times),
    line("CPU per 60-chunk stream: <= 1.6 x the bare pipe", stream, (value) => value <= 1.6, times),
    ...firstBytes,
  ];
}

function judgeCluster(cluster: Cluster | undefined): Verdict[] {
  const cpuOf = (way: keyof Cluster["loads"]) => cluster?.loads[way].cpuMicrosPerRequest ?? 0;
  const toFiles = cluster && cpuOf("one node, one account") / cpuOf("files, one account");
  const asked = cluster && cluster.vendorAskedMs.node - cluster.vendorAskedMs.files;
  const commits = cluster?.commitsPerAnswer;
  const show = (value: number): string => `${value.toFixed(3)} ms`;
  return [
    line("CPU per request on PostgreSQL: <= 1.3 x files", toFiles, (value) => value <= 1.3, times),
    line("admission from a slice: < 0.1 ms added at p50", asked, (value) => value < 0.1, show),
    // The node beats now and then, too.
    line(
      "commits for an answer: one",
      commits,
      (value) => value < 1.05,
      (value) => value.toFixed(2),
    ),
  ];
}

/** A goal holds for every conversion, so the dearest one decides. */
function judgeConversions(
  { rounds, absent }: Conversions,
  pass: ConversionPass,
  ratioMax: number,
): Verdict {
  const what = pass === "request" ? "request" : "60-chunk stream";
  const goal = `CPU per converted ${what}: <= ${ratioMax} x the pass-through`;
  const ratios = conversionNames.map((name) => {
    const ratio = medianOfPairs(rounds[pass], [name, passThrough], cpu, divide);
    return { name, ratio: name in absent ? Infinity : ratio };
  });
  const [worst] = ratios.toSorted((left, right) => (right.ratio ?? 0) - (left.ratio ?? 0));
  const show = (ratio: number): string => `${times(ratio)} at worst, ${worst?.name}`;
  return line(goal, worst?.ratio, (ratio) => ratio <= ratioMax, show);
}

function judgeMemory(findings: Findings): Verdict[] {
  const crowd = findings.crowd.gateway;
  const soak = findings.soak.gateway;
  const open = findings.openStreams.gateway;
  // Errors or missing streams would make a small figure worthless, so they make it infinite.
  const crowdMb = crowd && (crowd.errors > 0 ? Infinity : crowd.rssBytesPeak / megabyte);
  const asked = findings.openStreamsAsked;
  const openMb = open && (open.openStreams < asked ? Infinity : open.rssBytesPeak / megabyte);
  const isWhole = soak && soak.errors === 0 && soak.count >= soakRequests;
  const growth = soak && (isWhole ? readGrowth(soak) : Infinity);
  const show = (value: number): string => `${value.toFixed(0)} MB`;
  const showGrowth = (value: number): string => `last / early slices ${value.toFixed(2)} x`;
  // The goal is stated for 2,000 streams; fewer prove nothing about it.
  const isEnough = asked >= 2_000;
  return [
    line("memory at 256 connections: <= 150 MB", crowdMb, (value) => value <= 150, show),
    line(
      "memory over 300,000 requests: flat (<= 1.10 x)",
      growth,
      (value) => value <= flatRatioMax,
      showGrowth,
    ),
    line(
      "2,000 open streams: < 400 MB",
      isEnough ? openMb : undefined,
      (value) => value < 400,
      show,
    ),
  ];
}

function judgeTasks(tasks: Tasks | undefined): Verdict[] {
  // The goals are stated for 10,000 tasks; fewer prove nothing about them.
  const found = tasks && tasks.asked >= 10_000 ? tasks : undefined;
  const isWhole = found && found.created.errors === 0 && found.atOnce.jobs === found.asked;
  const ifWhole = (value: number | undefined): number | undefined =>
    found && !isWhole ? Infinity : value;
  const late = ifWhole(found?.lateP99Ms);
  const rssMb = ifWhole(found && found.rssBytesPeak / megabyte);
  const isRefused = found?.statusAbove === 429 && found.heldBack.jobs === found.asked;
  const openMost = ifWhole(isRefused ? found.heldBack.openMost : found && Infinity);
  const show = (value: number): string => `${value.toFixed(0)} ms at most`;
  const showMb = (value: number): string => `${value.toFixed(0)} MB`;
  const pollsMax = found?.pollsPerChannel ?? 0;
  const showOpen = (): string =>
    `${found?.heldBack.jobs} tasks, ${found?.heldBack.openMost} of ${pollsMax} polls`;
  return [
    line("10,000 tasks: polls less than 2 s late at p99", late, (value) => value < 2_000, show),
    line("10,000 tasks: < 300 MB", rssMb, (value) => value < 300, showMb),
    line(
      "10,000 tasks: no channel above its caps",
      openMost,
      (value) => value <= pollsMax,
      showOpen,
    ),
  ];
}

function judgeImages(images: Images | undefined): Verdict {
  // The goal is stated for twenty; fewer prove nothing about it.
  const found = images && images.atOnce >= 20 ? Object.values(images.passes) : undefined;
  const hasErrors = found?.some(({ errors }) => errors > 0) === true;
  const peak = found && Math.max(...found.map(({ rssBytesPeak }) => rssBytesPeak));
  const show = (value: number): string => `${(value / megabyte).toFixed(0)} MB`;
  const goal = "20 images of 33 MB at once in < 400 MB, none lost";
  return line(goal, peak, (value) => value < 400 * megabyte && !hasErrors, show);
}

function judgeLogs(logs: Logs | undefined): Verdict[] {
  // The goals are stated for a million rows; fewer prove nothing about them.
  const found = logs && logs.rows >= 1_000_000 ? logs : undefined;
  const judgeOne = (what: string, ...queries: LogQuery[]): Verdict => {
    const times = queries.map((name) => found?.timings[name].p50Ms ?? Infinity);
    const worst = found && Math.max(...times);
    const show = (value: number): string => `${value.toFixed(1)} ms`;
    const goal = `1,000,000 log rows: ${what} in < 50 ms at p50`;
    return line(goal, worst, (value) => value < 50, show);
  };
  const slowest = found && Math.max(...found.console.map(({ p95Ms }) => p95Ms));
  return [
    line(
      "1,000,000 rows: every route of the console in < 50 ms at p95",
      slowest,
      (value) => value < 50,
      (value) => `${value.toFixed(1)} ms at worst`,
    ),
    judgeOne("the first page", "first page, all accounts", "first page, own"),
    judgeOne(
      "a filtered page",
      "page of one model that failed, all accounts",
      "page of one model, own",
    ),
    judgeOne(
      "a month of usage",
      "month of usage by day and model, own",
      "month of usage by day and model, all accounts",
      "month of usage by account",
    ),
  ];
}

/** Memory at the end over memory once the first slices have filled pools and compiled code. */
function readGrowth(soak: Soak): number {
  const slices = soak.rssBytesAfterSlice;
  return median(slices.slice(-3)) / median(slices.slice(1, 4));
}

function line(
  goal: string,
  value: number | undefined,
  isMet: (value: number) => boolean,
  show: (value: number) => string,
): Verdict {
  if (value === undefined) return { goal, found: "", outcome: "not measured" };
  return { goal, found: show(value), outcome: isMet(value) ? "pass" : "FAIL" };
}

const conversationMicrosMax = 5;

function judgeAffinity({ openingMicros, idMicros, noneMicros }: AffinityCosts): Verdict {
  const shown = [openingMicros, idMicros, noneMicros].map((micros) => micros.toFixed(2));
  return {
    goal: "conversation of a request found in: < 5 us by its opening or its id",
    found: `${shown[0]} us by its opening, ${shown[1]} by its id, ${shown[2]} where it has none`,
    outcome: Math.max(openingMicros, idMicros) < conversationMicrosMax ? "pass" : "FAIL",
  };
}

const signingMicrosMax = 300;

function judgeSigning(micros: number): Verdict {
  return {
    goal: "signature of a request of 1 KB for AWS: < 0.3 ms",
    found: `${(micros / 1000).toFixed(3)} ms`,
    outcome: micros < signingMicrosMax ? "pass" : "FAIL",
  };
}
