// The part of the report about several nodes.
import { clusterWays, type Cluster } from "../measure/cluster.ts";

type Row = readonly string[];

const milliseconds = (value: number): string => `${value.toFixed(2)} ms`;
const whole = (value: number): string => value.toFixed(0);

export const loadHead: Row = [
  "",
  "per second",
  "p50",
  "p99",
  "CPU us each",
  "of the database",
  "errors",
];

export function loadRows({ loads }: Cluster): Row[] {
  return clusterWays.map((way) => {
    const load = loads[way];
    const cpu = [load.cpuMicrosPerRequest, load.databaseCpuMicrosPerRequest].map(whole);
    const times = [load.p50Ms, load.p99Ms].map(milliseconds);
    return [way, whole(load.requestsPerSecond), ...times, ...cpu, whole(load.errors)];
  });
}

export const aloneHead: Row = ["one connection, p50", "files", "node", "more"];

export function aloneRows(cluster: Cluster): Row[] {
  const row = (title: string, { files, node }: Cluster["answerEndsMs"]): Row => [
    title,
    milliseconds(files),
    milliseconds(node),
    milliseconds(node - files),
  ];
  return [
    row("until the vendor is asked, which waits for no commit", cluster.vendorAskedMs),
    row("until a stream begins, whose hold is committed meanwhile", cluster.streamBeginsMs),
    row("until an answer has ended, which waits for one commit", cluster.answerEndsMs),
    ["commits for each of these answers", "", cluster.commitsPerAnswer.toFixed(2), ""],
    ["one commit of the database, alone", "", milliseconds(cluster.commitMs), ""],
  ];
}
