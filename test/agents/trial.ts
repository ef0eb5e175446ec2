// One run of one agent: an empty environment, a home that is thrown away, one prompt, and then a
// look from outside at what the agent said and did, what the gateway served and what the vendor was
// asked.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CallRecord } from "../../sandbox/call-log.ts";
import { type Agent, almanac, type AskedModel, newWord, oldWord, promptOf } from "./agent.ts";
import { type Home, openHome, type Ran, runMsMax } from "./home.ts";
import { type Answered, answeredSince, isRefused, type LogRow, readLog } from "./seen.ts";
import type { Stand, Vendor } from "./stand.ts";
import type { Way } from "./ways.ts";

export interface Trial {
  agent: Agent;
  model: AskedModel;
  vendor: Vendor;
  way: Way;
}

export interface Result {
  /** Faults of the run; none for a good run. */
  faults: string[];
  hasEdited: boolean;
  requests: number;
  /** Turns that the gateway refused, or that did not come to their end. */
  refused: number;
  seconds: number;
  /** The end of what the agent said beside its answer. */
  remarks: string;
}

interface Seen {
  ran: Ran;
  rows: LogRow[];
  calls: CallRecord[];
  answered: Answered[];
  edited: string;
  left: string[];
}

const moneyMicros = 100_000_000;

export async function runTrial(trial: Trial, stand: Stand): Promise<Result> {
  const secret = crypto.randomUUID();
  using home = openHome();
  home.put(join("workspace", almanac), `${oldWord}\n${secret}\n`);
  const seen = await watch(trial, stand, home);
  const wanted = `${newWord}\n${secret}\n`;
  return {
    faults: faultsOf(seen, trial, wanted),
    hasEdited: seen.edited === wanted,
    requests: seen.rows.length,
    refused: seen.answered.filter(isRefused).length,
    seconds: seen.ran.ms / 1000,
    remarks: seen.ran.remarks,
  };
}

async function watch(trial: Trial, { gateway, sandbox }: Stand, home: Home): Promise<Seen> {
  const { agent, model, vendor, way } = trial;
  const customer = await gateway.customer(moneyMicros, { group: vendor.name });
  const place = {
    agent,
    access: { url: gateway.url, key: customer.key, model: model.name },
    home,
  };
  const callsBefore = sandbox.calls().total;
  const charactersBefore = gateway.output.length;
  const path = join(home.workspace, almanac);
  const told = await way.tell(place);
  const command = [...agent.command(promptOf(model.steps(path))), ...(told.words ?? [])];
  const ran = await home.run(command, { ...agent.quiet, ...told.environment });
  const { total, recent } = sandbox.calls();
  const calls = recent.slice(recent.length - (total - callsBefore));
  return {
    ran,
    calls,
    rows: await readLog(gateway, customer.keyId, calls.length),
    answered: answeredSince(gateway, charactersBefore),
    edited: readFileSync(path, "utf8"),
    left: await way.untell(place),
  };
}

function faultsOf(seen: Seen, trial: Trial, wanted: string): string[] {
  const { ran, rows, calls, answered, edited, left } = seen;
  const faults = [
    ...faultsOfRun(ran, wanted),
    ...faultsOfLog(rows, trial),
    ...faultsOfCalls(calls, trial.vendor),
    ...faultsOfAnswers(answered, trial.agent),
    ...left,
  ];
  if (edited !== wanted) faults.push("the file was not edited");
  if (calls.length !== rows.length) {
    faults.push(`${rows.length} requests are in the log, ${calls.length} reached the vendor`);
  }
  return faults;
}

function faultsOfRun({ exitCode, answer }: Ran, wanted: string): string[] {
  const faults: string[] = [];
  if (exitCode === null) faults.push(`it was not done after ${runMsMax / 1000} s`);
  else if (exitCode !== 0) faults.push(`it ended with ${exitCode}`);
  const words = wanted.trim().split("\n");
  if (words.some((word) => !answer.includes(word)))
    faults.push("its answer does not quote what the tool returned");
  return faults;
}

/** One for each step, and one for the answer. */
const requestsMin = 4;

function faultsOfLog(rows: readonly LogRow[], { agent, model, vendor }: Trial): string[] {
  const faults: string[] = [];
  const names = [model.name, ...agent.hiddenModels];
  if (rows.length < requestsMin) faults.push(`the gateway served ${rows.length} requests`);
  for (const row of rows) {
    const what = `${row.route} for ${row.model}`;
    if (isRefused(row)) faults.push(`${what} ended with ${row.status}, ${row.outcome}`);
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

function faultsOfAnswers(answered: readonly Answered[], { transport }: Agent): string[] {
  const faults = answered
    .filter(isRefused)
    .map(({ method, path, status, outcome }) => `${method} ${path}: ${status}, ${outcome}`);
  const sockets = answered.filter(({ status }) => status === 101).length;
  if (sockets > 0 !== (transport === "WebSocket")) faults.push(`it opened ${sockets} sockets`);
  return faults;
}
