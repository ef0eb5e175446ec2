// A trial of cache affinity: many conversations, turn by turn, on two channels of three keys, with
// a vendor that keeps prompts for each key apart. Optionally things go wrong on the way, and the
// turns of a conversation alternate between two nodes that know nothing of each other.
import { cpSync, rmSync } from "node:fs";
import { CachingVendor } from "../harness/affinity/caching-vendor.ts";
import { rootKey, startGateway, temporaryFolder, type Gateway } from "../harness/gateway.ts";

export interface TrialOptions {
  conversations: number;
  turns: number;
  nodes: 1 | 2;
  isOn: boolean;
  /** Keys that rest, a channel that fails, one that is disabled and comes back as a better one. */
  isRough: boolean;
}

interface TrialResult {
  /** Share of all input that the vendor had already. */
  share: number;
  /** Share of all turns but the first whose key had all that was said before. */
  warmShare: number;
  requests: number;
  /** Those that a client had to send again. */
  repeated: number;
  /** Conversations that the first channel had at the end of the first turn. */
  firstShare: number;
}

const model = "trial";
const atOnce = 16;
const triesMax = 20;
const keysOf = (channel: string) => [1, 2, 3].map((at) => `sk-${channel}-${at}-0123456789`);
const opening = "You are an agent that works on a large repository. ".repeat(100);
/** Between two turns of an agent that waits for its tools and its user. */
const minutesPerTurn = 1;
const answer = { role: "assistant", content: "I have read that, and changed the file. ".repeat(5) };

interface Stand {
  vendor: CachingVendor;
  nodes: readonly Gateway[];
  ids: Record<string, string>;
}

export async function runTrial(options: TrialOptions): Promise<TrialResult> {
  using vendor = new CachingVendor();
  const folders: string[] = [];
  const nodes: Gateway[] = [];
  try {
    const ids = await open(options, vendor, folders, nodes);
    return await talk(options, { vendor, nodes, ids });
  } finally {
    for (const node of nodes) await node[Symbol.asyncDispose]();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
}

/** Makes the channels; a second node then gets a copy of the store, and hears of nothing more. */
async function open(
  { isOn, nodes: count }: TrialOptions,
  vendor: CachingVendor,
  folders: string[],
  nodes: Gateway[],
): Promise<Record<string, string>> {
  const config = `sandbox: "off"\ndistribution: { affinity: ${isOn} }\n`;
  const start = (folder: string) =>
    startGateway({ config, folder, isOnFiles: true, oneProcess: "judgement" });
  const first = temporaryFolder();
  folders.push(first);
  const maker = await start(first);
  const ids: Record<string, string> = {};
  try {
    await maker.control("POST", "/api/price", {
      model,
      input_micros_per_million: 100,
      output_micros_per_million: 200,
      cache_read_micros_per_million: 10,
    });
    for (const name of ["a", "b"]) {
      const channel = vendor.channel({ name, models: [model], keys: keysOf(name) });
      ids[name] = (await maker.control<{ id: string }>("POST", "/api/channel", channel)).id;
    }
    await maker.stop();
  } finally {
    await maker[Symbol.asyncDispose]();
  }
  for (let at = 1; at < count; at++) {
    const copy = temporaryFolder();
    folders.push(copy);
    cpSync(first, copy, { recursive: true });
  }
  for (const folder of folders) nodes.push(await start(folder));
  return ids;
}

async function talk(options: TrialOptions, stand: Stand): Promise<TrialResult> {
  const { conversations, turns, isRough } = options;
  const { vendor } = stand;
  const talks = Array.from({ length: conversations }, (_, at) => new Talk(at));
  let repeated = 0;
  let firstShare = 0;
  for (let turn = 0; turn < turns; turn++) {
    vendor.minute = turn * minutesPerTurn;
    if (isRough) await disturb(stand, turn, turns);
    const waiting = shuffled(talks, turn).values();
    const work = async () => {
      for (const one of waiting) repeated += await one.say(stand.nodes, turn);
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    if (turn === 0) {
      const keys = keysOf("a");
      firstShare = vendor.served.filter(({ key }) => keys.includes(key)).length / conversations;
    }
    // Requests served are counted; to keep them would take a gigabyte.
    vendor.served.length = 0;
    vendor.vendor.requests.length = 0;
  }
  return {
    share: vendor.share,
    warmShare: vendor.warm / (conversations * (turns - 1)),
    requests: conversations * turns + repeated,
    repeated,
    firstShare,
  };
}

/** In another order with each turn, as they come: else what takes turns would repeat itself. */
function shuffled(talks: readonly Talk[], turn: number): Talk[] {
  const rank = (at: number) => Bun.hash.xxHash32(`${turn} ${at}`);
  return talks.toSorted((one, other) => rank(one.at) - rank(other.at));
}

/** One conversation, as an agent has it. */
class Talk {
  readonly at: number;
  readonly #messages: object[];

  constructor(at: number) {
    this.at = at;
    const first = { role: "user", content: `Task ${at}: find out why test ${at} fails.` };
    this.#messages = [{ role: "system", content: `Project ${at}. ${opening}` }, first];
  }

  /** Times that it had to be sent again. */
  async say(nodes: readonly Gateway[], turn: number): Promise<number> {
    const body = JSON.stringify({ model, messages: this.#messages, ...this.#named("body") });
    for (let tries = 0; tries < triesMax; tries++) {
      const node = nodes[(this.at + turn + tries) % nodes.length];
      const response = await fetch(`${node?.url}/v1/chat/completions`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${rootKey}`,
          "content-type": "application/json",
          ...this.#named("header"),
        },
        body,
      });
      await response.text();
      if (response.status !== 200) continue;
      const result = `Result of step ${turn}: ${"what a tool brought. ".repeat(12)}`;
      this.#messages.push(answer, { role: "user", content: result });
      return tries;
    }
    throw new Error(`turn ${turn} of conversation ${this.at} was never answered`);
  }

  /** A third name themselves by a header, a third in the body, and a third not at all. */
  #named(place: "header" | "body"): Record<string, string> {
    const kind = this.at % 3;
    if (place === "header") return kind === 0 ? { "x-session-id": `talk-${this.at}` } : {};
    return kind === 1 ? { prompt_cache_key: `talk-${this.at}` } : {};
  }
}

/** Disturbances, by how much of the trial is over. */
async function disturb({ vendor, nodes, ids }: Stand, turn: number, turns: number): Promise<void> {
  const at = (part: number) => turn === Math.floor(turns * part);
  const change = async (name: string, fields: object) => {
    for (const node of nodes) await node.control("PATCH", `/api/channel/${ids[name]}`, fields);
  };
  const [resting = ""] = keysOf("a");
  if (at(0.2)) vendor.moods.set(resting, "busy");
  if (at(0.3)) vendor.moods.delete(resting);
  if (at(0.4)) for (const key of keysOf("b")) vendor.moods.set(key, "failing");
  if (at(0.5)) vendor.moods.clear();
  if (at(0.6)) await change("a", { status: "disabled" });
  if (at(0.8)) await change("a", { status: "enabled", priority: 9 });
  // Channels that rest or were put aside may be used again with the next turn.
  if (at(0.3) || at(0.5)) for (const node of nodes) node.pass(120);
}
