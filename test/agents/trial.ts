// One run of one agent: an empty environment, a home that is thrown away, one prompt, and then a
// look from outside at what the agent said, what the gateway served and what the vendor was asked.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { CallRecord } from "../../sandbox/call-log.ts";
import { temporaryFolder } from "../harness/gateway.ts";
import { type Agent, almanac, type AskedModel, type Setup } from "./agent.ts";
import type { Stand, Vendor } from "./stand.ts";

export interface Trial {
  agent: Agent;
  model: AskedModel;
  vendor: Vendor;
}

export interface Result {
  /** Faults of the run; none for a good run. */
  faults: string[];
  requests: number;
  seconds: number;
  /** The end of what the agent said beside its answer. */
  remarks: string;
}

const runMsMax = 120_000;
const logMsMax = 5000;
const moneyMicros = 100_000_000;
const remarksCharactersMax = 1500;

export async function runTrial(trial: Trial, { gateway, sandbox }: Stand): Promise<Result> {
  const { agent, model, vendor } = trial;
  const customer = await gateway.customer(moneyMicros, { group: vendor.name });
  const access = { url: gateway.url, key: customer.key, model: model.name };
  const secret = `page ${crypto.randomUUID()}`;
  const callsBefore = sandbox.calls().total;
  const ran = await runAgent(agent.setUp(access, model.prompt), secret);
  const { total, recent } = sandbox.calls();
  const calls = recent.slice(recent.length - (total - callsBefore));
  const rows = await readLog(gateway, customer.keyId, calls.length);
  return {
    faults: [
      ...faultsOfRun(ran, secret),
      ...faultsOfLog(rows, trial),
      ...faultsOfCalls(calls, trial.vendor),
      ...(calls.length === rows.length
        ? []
        : [`${rows.length} requests are in the log, ${calls.length} reached the vendor`]),
    ],
    requests: rows.length,
    seconds: ran.ms / 1000,
    remarks: ran.remarks,
  };
}

interface Ran {
  /** Null when it had to be ended. */
  exitCode: number | null;
  answer: string;
  remarks: string;
  ms: number;
}

async function runAgent({ files, environment, command }: Setup, secret: string): Promise<Ran> {
  const home = temporaryFolder();
  try {
    const workspace = join(home, "workspace");
    writeAll(home, { ...files, [join("workspace", almanac)]: `${secret}\n` });
    const whole = { PATH: process.env["PATH"] ?? "", HOME: home, ...environment };
    const assigned = Object.entries(whole).map(([name, value]) => `${name}=${value}`);
    return await spawnAgent(["env", "-i", ...assigned, ...command], workspace);
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

function writeAll(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

async function spawnAgent(command: string[], folder: string): Promise<Ran> {
  const startedMs = performance.now();
  const child = Bun.spawn(command, {
    cwd: folder,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    // A group of its own, so that what the agent has started ends with it.
    detached: true,
  });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    process.kill(-child.pid, "SIGKILL");
  }, runMsMax);
  const [answer, remarks, exitCode] = await Promise.all([
    child.stdout.text(),
    child.stderr.text(),
    child.exited,
  ]);
  clearTimeout(timer);
  return {
    exitCode: isLate ? null : exitCode,
    answer,
    remarks: remarks.slice(-remarksCharactersMax),
    ms: performance.now() - startedMs,
  };
}

function faultsOfRun({ exitCode, answer }: Ran, secret: string): string[] {
  const faults: string[] = [];
  if (exitCode === null) faults.push(`it was not done after ${runMsMax / 1000} s`);
  else if (exitCode !== 0) faults.push(`it ended with ${exitCode}`);
  if (!answer.includes(secret)) faults.push("its answer does not quote what the tool returned");
  return faults;
}

interface LogRow {
  route: string;
  model: string;
  channel: string | null;
  status: number;
  outcome: string;
  micros: number;
}

/** Rows are written a moment after the answer. */
async function readLog(
  gateway: Stand["gateway"],
  keyId: string,
  expected: number,
): Promise<LogRow[]> {
  const deadlineMs = performance.now() + logMsMax;
  for (;;) {
    const path = `/api/log?key=${keyId}&page_size=100`;
    const { items } = await gateway.control<{ items: LogRow[] }>("GET", path);
    if (items.length >= expected || performance.now() > deadlineMs) return items;
    await Bun.sleep(50);
  }
}

const requestsMin = 2;

function faultsOfLog(rows: readonly LogRow[], { agent, model, vendor }: Trial): string[] {
  const faults: string[] = [];
  const names = [model.name, ...agent.hiddenModels];
  if (rows.length < requestsMin) faults.push(`the gateway served ${rows.length} requests`);
  for (const row of rows) {
    const what = `${row.route} for ${row.model}`;
    if (row.status !== 200 || row.outcome !== "ok") {
      faults.push(`${what} ended with ${row.status}, ${row.outcome}`);
    }
    if (!agent.route.test(row.route)) faults.push(`${what} is not the agent's own route`);
    if (!names.includes(row.model)) faults.push(`${what} was not expected`);
    if (row.channel !== vendor.name) faults.push(`${what} went to ${row.channel}`);
    if (row.micros <= 0) faults.push(`${what} was not charged`);
  }
  return faults;
}

function faultsOfCalls(calls: readonly CallRecord[], { path }: Vendor): string[] {
  return calls.flatMap((call) => {
    const isGood = path.test(call.path) && call.status === 200 && call.outcome === "completed";
    return isGood ? [] : [`the vendor: ${call.path} ${call.status} ${call.outcome}`];
  });
}
