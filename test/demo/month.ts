// A month of the company, lived within this process on a clock that is moved, in a data folder
// that any gateway can serve afterwards. It ends now.
import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Gateway } from "../harness/gateway.ts";
import { systemThreads } from "../../src/store/sqlite/open.ts";
import { startHere } from "../harness/nodes/node-here.ts";
import type { Output } from "../harness/nodes/started-node.ts";
import { MovableTime } from "../harness/time/movable-time.ts";
import { Client } from "./client.ts";
import { demoPassword, siteName } from "./company.ts";
import { planOffice, setUp } from "./office.ts";
import { dayMs, planMonth, type Act, type PlanAsk } from "./plan.ts";
import { Vendors } from "./vendors.ts";
import { isTask } from "./work.ts";

export interface MonthAsk {
  folder: string;
  seed: string;
  days: number;
  /** Share of everybody's work, from 0 to 1. */
  share: number;
  /** Told now and then how far it is. */
  tell?(share: number): void;
}

export interface Month extends AsyncDisposable {
  client: Client;
  vendors: Vendors;
  acts: readonly Act[];
  /** Variables of a gateway that serves its folder. */
  environment: Record<string, string>;
}

/** Requests made up to a moment before now: what they take must have passed by then. */
const restMs = 5 * 60_000;
const tellEvery = 200;
const taskStepSeconds = 15;
const taskStepsMax = 40;
/** Real time, in which what is due on the moved clock is done. */
const breathMs = 4;

export async function liveMonth(ask: MonthAsk): Promise<Month> {
  const endMs = Date.now() - restMs;
  const plan: PlanAsk = { ...ask, endMs };
  const time = new MovableTime(-ask.days * dayMs - restMs);
  const vendors = new Vendors(time);
  const token = `sat-${randomBytes(24).toString("hex")}`;
  const environment = environmentOf(ask.folder, vendors, token);
  const output: Output = { text: "" };
  const node = await startHere(environment, output, { time, threads: systemThreads });
  await using gateway = new Gateway({
    folder: ask.folder,
    ownsFolder: false,
    nodes: [node],
    output,
    balancer: null,
  });
  const client = new Client(gateway.url, token);
  await setUp(client, vendors);
  const acts = planMonth(plan);
  await liveThrough({ time, client, vendors, acts, ask: plan, tell: ask.tell });
  time.pass(Math.max(0, Date.now() - time.nowMs()) / 1000);
  await gateway.stop();
  return {
    client,
    vendors,
    acts,
    environment,
    [Symbol.asyncDispose]: () => vendors[Symbol.asyncDispose](),
  };
}

function environmentOf(folder: string, vendors: Vendors, token: string): Record<string, string> {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "sluice.yaml");
  const lines = [
    `site: { name: ${siteName}, shows_models: true, shows_status: true }`,
    `media: { private_hosts: [ "${vendors.host}" ] }`,
  ];
  writeFileSync(path, `${lines.join("\n")}\n`);
  return {
    HOST: "127.0.0.1",
    PORT: "0",
    SLUICE_DATA: folder,
    SLUICE_CONFIG: path,
    SLUICE_ROOT_PASSWORD: demoPassword,
    SLUICE_ROOT_TOKEN: token,
  };
}

interface Life {
  time: MovableTime;
  client: Client;
  vendors: Vendors;
  acts: readonly Act[];
  ask: PlanAsk;
  tell: ((share: number) => void) | undefined;
}

async function liveThrough({ time, client, vendors, acts, ask, tell }: Life): Promise<void> {
  const errands = planOffice(vendors, ask.endMs, ask.days).toSorted(
    (one, other) => one.atMs - other.atMs,
  );
  const passTo = (atMs: number) => time.pass(Math.max(0, atMs - time.nowMs()) / 1000);
  for (const [at, act] of acts.entries()) {
    while ((errands[0]?.atMs ?? Infinity) <= act.atMs) {
      const errand = errands.shift();
      if (!errand) break;
      passTo(errand.atMs);
      await errand.run(client);
    }
    passTo(act.atMs);
    vendors.manner = act.manner;
    const task = await client.ask(withHook(act, vendors));
    if (task !== null) await finish(task, { time, client });
    if (at % tellEvery === 0) tell?.(at / acts.length);
  }
}

/** Films tell a receiver of their end; some still name one that was taken down. */
function withHook(act: Act, vendors: Vendors): Act {
  if (!isTask(act.ask.path)) return act;
  const receiver = act.atMs % 7 === 0 ? "old-receiver" : "studio";
  const body = { ...act.ask.body, webhook_url: `http://${vendors.host}/hooks/${receiver}` };
  return { ...act, ask: { ...act.ask, body } };
}

/** Lets the clock run until its vendor has done it. */
async function finish(id: string, { time, client }: Pick<Life, "time" | "client">): Promise<void> {
  for (let step = 0; step < taskStepsMax; step++) {
    time.pass(taskStepSeconds);
    await Bun.sleep(breathMs);
    const task = await client.control<{ completed_at: number | null }>("GET", `/api/task/${id}`);
    if (task.completed_at !== null) return;
  }
  throw new Error(`task ${id} did not end`);
}
