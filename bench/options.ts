// The command line, checked: every number has a range, so that no run is without bounds.
import { parseArgs } from "node:util";

export const targetNames = ["gateway", "postgres", "traced", "before", "bare", "portkey"] as const;
export type TargetName = (typeof targetNames)[number];

export interface Options {
  readonly seconds: number;
  readonly rounds: number;
  readonly connections: number;
  readonly only: readonly TargetName[];
  /** The checkout of another version of this gateway, which is the target `before`. */
  readonly against: string | undefined;
  /** Also this gateway with traces on, as the target `traced`. */
  readonly isTraced: boolean;
  /** Also this gateway on PostgreSQL, as the target `postgres`. */
  readonly isOnPostgres: boolean;
  /** Also two nodes on one PostgreSQL, beside one of them and beside files. */
  readonly isClustered: boolean;
  readonly isSoak: boolean;
  readonly openStreams: number;
  readonly tasks: number;
  readonly logs: number;
  readonly images: number;
}

const definitions = {
  seconds: { type: "string" },
  rounds: { type: "string" },
  connections: { type: "string" },
  only: { type: "string" },
  against: { type: "string" },
  traced: { type: "boolean" },
  postgres: { type: "boolean" },
  cluster: { type: "boolean" },
  soak: { type: "boolean" },
  "open-streams": { type: "string" },
  tasks: { type: "string" },
  logs: { type: "string" },
  images: { type: "string" },
  quick: { type: "boolean" },
  help: { type: "boolean" },
} as const;

export const usageText = `npm run bench -- [options]
  --seconds S        length of one measured pass (3; 1 with --quick)
  --rounds R         interleaved rounds (5; 1 with --quick; 0 leaves the comparison out)
  --connections C    connections of the request pass (64)
  --only a,b         of ${targetNames.join(", ")}
  --against FOLDER   also another checkout of this repository, as \`before\`
  --postgres         also this gateway on a PostgreSQL of its own, as \`postgres\`
  --cluster          also two nodes on a PostgreSQL, with one account and many
  --traced           also this gateway with traces for a collector, as \`traced\`
  --soak             also 300,000 requests on 256 connections, memory watched
  --open-streams N   also N streams held open at once, memory watched
  --tasks N          tasks in flight at once (10000; 1000 with --quick; 0 leaves them out)
  --logs N           rows of a usage log (1000000; 100000 with --quick; 0 leaves them out)
  --images N         large images on their way at once (20; 0 leaves them out)
  --quick            one short round, for a look`;

/** Undefined asks for the usage text. */
export function parseOptions(args: string[]): Options | undefined {
  const { values } = parseArgs({ args, options: definitions });
  if (values.help === true) return undefined;
  const isQuick = values.quick === true;
  const isTraced = values.traced === true;
  const isOnPostgres = values.postgres === true;
  const extra = { before: values.against !== undefined, traced: isTraced, postgres: isOnPostgres };
  return {
    seconds: parseNumber("seconds", values.seconds ?? (isQuick ? "1" : "3"), [1, 60]),
    rounds: parseNumber("rounds", values.rounds ?? (isQuick ? "1" : "5"), [0, 50]),
    connections: parseNumber("connections", values.connections ?? "64", [1, 1_000]),
    only: parseOnly(values.only, extra),
    against: values.against,
    isTraced,
    isOnPostgres,
    isClustered: values.cluster === true,
    isSoak: values.soak === true,
    openStreams: parseNumber("open-streams", values["open-streams"] ?? "0", [0, 8_000]),
    logs: parseNumber("logs", values.logs ?? (isQuick ? "100000" : "1000000"), [0, 20_000_000]),
    images: parseNumber("images", values.images ?? "20", [0, 200]),
    tasks: parseNumber("tasks", values.tasks ?? (isQuick ? "1000" : "10000"), [0, 50_000]),
  };
}

function parseNumber(name: string, text: string, [least, most]: [number, number]): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new Error(`--${name} must be a whole number from ${least} to ${most}`);
}

/** Those that are measured only where they are asked for by an option of their own. */
type Extra = Readonly<Record<"before" | "traced" | "postgres", boolean>>;

function parseOnly(text: string | undefined, extra: Extra): readonly TargetName[] {
  const isExtra = (name: TargetName): name is keyof Extra => name in extra;
  const possible = targetNames.filter((name) => !isExtra(name) || extra[name]);
  if (text === undefined) return possible;
  const asked = text.split(",");
  const unknown = asked.find((name) => !targetNames.some((known) => known === name));
  if (unknown !== undefined) throw new Error(`--only: ${unknown} is none of ${targetNames}`);
  return possible.filter((name) => asked.includes(name) || isExtra(name));
}
