// Plays a scene through the flow of text as it is, from the parsed body to the settlement.
import { Catalogue } from "../../../src/catalogue/catalogue.ts";
import { Deadlines } from "../../../src/core/deadline.ts";
import type { RequestId } from "../../../src/core/ids.ts";
import type { JsonObject } from "../../../src/core/json.ts";
import type { Micros } from "../../../src/core/money.ts";
import { Affinity } from "../../../src/distribution/affinity.ts";
import { Channels } from "../../../src/distribution/channels.ts";
import { VirtualModels } from "../../../src/distribution/virtual-models.ts";
import { RetryBudget } from "../../../src/distribution/retry-budget.ts";
import { unsetSettings } from "../../../src/distribution/unset-settings.ts";
import { formats } from "../../../src/formats/index.ts";
import type { ByteSource } from "../../../src/gateway/answer.ts";
import type { OpenCall } from "../../../src/gateway/open-call.ts";
import { WasteBudget } from "../../../src/distribution/waste-budget.ts";
import { ReadOn } from "../../../src/gateway/stream/read-on.ts";
import { noTally } from "../../../src/gateway/text/meter/tally.ts";
import { SecondLook } from "../../../src/gateway/text/admit/second-look.ts";
import { serveText, type TextNeeds } from "../../../src/gateway/text/serve-text.ts";
import type { Posted, Reservation } from "../../../src/quota/ledger.ts";
import { snapshotPrice } from "../../../src/quota/price.ts";
import { SoleLedger } from "../../../src/quota/sole-ledger.ts";
import { SimulatedTime, SimulatedTimers } from "../simulated-time.ts";
import { horizonMs, type Scene } from "./scene.ts";
import { ScriptedVendor } from "./scripted-vendor.ts";

/** Parts of the flow; what is broken on purpose changes one of these. */
export interface LeavingRules {
  readOnMs: number;
  booksLosses: boolean;
}

export const genuineRules: LeavingRules = { readOnMs: 10_000, booksLosses: true };

/** Settlement of a request. */
export interface Settled {
  heldMicros: number;
  micros: number;
  lossMicros: number;
}

export interface Played {
  settled: Settled[];
  finished: number;
  usedTokens: number;
  isDone: boolean;
}

class WatchedLedger extends SoleLedger {
  readonly ends: Settled[] = [];
  booksLosses = true;

  override post(held: Reservation, actual: Micros, usage: string, loss?: Micros): Posted {
    const lossMicros = this.booksLosses ? (loss ?? 0) : 0;
    this.ends.push({ heldMicros: held.micros, micros: actual, lossMicros });
    return super.post(held, actual, usage, loss);
  }

  override void(held: Reservation, reason: string, loss?: Micros): Promise<boolean> {
    const lossMicros = this.booksLosses ? (loss ?? 0) : 0;
    this.ends.push({ heldMicros: held.micros, micros: 0, lossMicros });
    return super.void(held, reason, loss);
  }
}

const stepMs = 100;

export async function play(scene: Scene, rules: LeavingRules): Promise<Played> {
  const time = new SimulatedTime();
  const timers = new SimulatedTimers(time);
  const needsOfLedger = { write: async () => {}, clock: time, timers, faulted() {} };
  const ledger = new WatchedLedger(needsOfLedger, { queueMax: 1000, stallMs: 1e9 });
  ledger.booksLosses = rules.booksLosses;
  const vendor = new ScriptedVendor({ scene, timers });
  const needs = needsOf({ time, timers, ledger, vendor, rules });
  const leaving = new AbortController();
  let finished = 0;
  const call = callOf(leaving.signal, () => finished++);
  const client = new SimulatedClient();
  const body = bodyOf(scene);
  const answered = serveText(needs, {
    call,
    format: formats[scene.client],
    body,
    bodyBytes: JSON.stringify(body).length,
    raw: null,
    written: [],
    address: null,
    action: "generate",
    wireHeaders: {},
    headers: new Headers(),
  }).then(
    ({ body: source }) => client.read(source),
    () => {},
  );
  const { leavesAtMs, leavesBy } = scene;
  if (leavesAtMs !== null) {
    timers.after(leavesAtMs, () => {
      if (leavesBy === "stream") client.leave();
      leaving.abort();
      client.leave();
    });
  }
  for (let atMs = 0; atMs < horizonMs; atMs += stepMs) {
    await new Promise(setImmediate);
    time.advance(stepMs);
    timers.ringDue();
  }
  await new Promise(setImmediate);
  await answered;
  const { usedTokens, isDone } = vendor;
  return { settled: ledger.ends, finished, usedTokens, isDone };
}

/** Takes what there is, until it leaves. */
class SimulatedClient {
  #source: ByteSource | null = null;
  #isGone = false;

  read(body: unknown): void {
    if (typeof body !== "object" || body === null || !("take" in body)) return;
    this.#source = body as ByteSource;
    if (this.#isGone) this.#source.cancel();
    else this.#pull();
  }

  leave(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#source?.cancel();
  }

  readonly #pull = (): void => {
    while (!this.#isGone) {
      const bytes = this.#source?.take(this.#pull);
      if (!bytes) return;
    }
  };
}

function bodyOf({ promptBytes, outputTokensMax, stream }: Scene): JsonObject {
  const messages = [{ role: "user", content: "x".repeat(promptBytes) }];
  return { model: "simulated", max_tokens: outputTokensMax, messages, stream };
}

function callOf(signal: AbortSignal, finish: () => void): OpenCall {
  const requestId = "req_1" as RequestId;
  return {
    // The only fields asked of a caller.
    caller: {
      accountId: "acc_1",
      keyId: "key_1",
      group: "default",
      multiplierPpm: 1e6,
      models: null,
    } as never,
    scope: { requestId, signal, startedAtMs: 0, hops: 0 },
    limitHeaders: {},
    model: "",
    stream: false,
    askedModel: null,
    chain: null,
    taskId: null,
    replayOf: null,
    label: null,
    ending: null,
    converted: null,
    candidates: [],
    affinity: null,
    waitedMs: 0,
    takenTokens: 0,
    content: null,
    attempts: 0,
    channel: null,
    key: null,
    failedChannels: [],
    trail: [],
    arrivedAtMs: 0,
    askFor: () => null,
    left() {},
    finish,
  };
}

interface Parts {
  time: SimulatedTime;
  timers: SimulatedTimers;
  ledger: SoleLedger;
  vendor: ScriptedVendor;
  rules: LeavingRules;
}

/** A token costs one micro. */
const price = snapshotPrice(
  {
    inputMicrosPerMillion: 1e6,
    outputMicrosPerMillion: 1e6,
    cacheReadMicrosPerMillion: null,
    cacheWriteMicrosPerMillion: null,
    cacheWriteHourMicrosPerMillion: null,
    audioInputMicrosPerMillion: null,
    audioOutputMicrosPerMillion: null,
    imageMicros: null,
    secondMicros: null,
    callMicros: null,
  },
  1e6,
);

const readOnBounds = { readOnBytesMax: 1e9, readOnMax: 1 };

function needsOf({ time, timers, ledger, vendor, rules }: Parts): TextNeeds {
  const deadlines = new Deadlines(time, timers);
  const channels = channelsOf();
  const sums = { heldMicros: 0, spentMicros: 0, unwrittenMicros: 0 };
  const unused = { uses: 0, isForgotten: false, ...sums };
  const account = { ...unused, id: "acc_1", unlimited: true, grantedMicros: 0, availableMicros: 0 };
  const key = { ...unused, id: "key_1", accountId: "acc_1", limitMicros: null };
  const origins = { remember() {} } as never;
  const bounds = { outputTokensMaxDefault: 64_000, imageTokensMax: 4096 };
  return {
    clock: time,
    ledger,
    memory: { keep() {} } as never,
    opening: {
      channels,
      virtualModels: new VirtualModels(),
      random: { bytes: (count) => new Uint8Array(count), unit: () => 0 },
      origins,
      prices: { snapshot: () => price, outputTokensMax: () => null } as never,
      catalogue: new Catalogue(),
      balances: { peekWallet: () => ({ account, key, caps: [] }) } as never,
      bounds,
      affinity: new Affinity({ clock: time, isOn: true }),
    },
    secondLook: new SecondLook({
      ledger,
      meter: {} as never,
      rules: { secondLook: "off" },
      looked() {},
    }),
    attempts: {
      clock: time,
      random: { bytes: (count) => new Uint8Array(count), unit: () => 0 },
      retryBudget: new RetryBudget(100),
      rules: { attemptsMax: 1 },
      keyRefused() {},
      keySuspected() {},
      attempted() {},
    },
    trying: {
      send: vendor.send,
      deadlines,
      firstByteMs: 1e6,
      streamFirstByteMs: 1e6,
      openTally: () => noTally,
    },
    settling: {
      ledger,
      origins,
      meter: { countRequest: async () => 0 } as never,
      doubts: { clock: time, doubted() {}, otherModel() {} },
      prices: { isTextListed: () => false, cost: () => price } as never,
      clamped() {},
      overran() {},
      settling: new Set(),
      wastes: new WasteBudget(),
    },
    readOn: new ReadOn(deadlines, { ...readOnBounds, readOnMs: rules.readOnMs }),
    rules: { replyModel: "served" },
    turns: { open: () => null, close: () => null } as never,
    contents: { isLogged: false, captures: { isOn: false, find: () => null } },
    streaming: { deadlines, stallMs: 1e6, totalMs: 1e6 },
  };
}

function channelsOf(): Channels {
  const channels = new Channels({ failuresToEject: 5, ejectionMs: 1000, ejectionMsMax: 1000 });
  const keys = [{ position: 0, text: "key-of-a-vendor", isEnabled: true }];
  channels.replace([
    {
      ...unsetSettings,
      id: "ch_1" as never,
      name: "simulated",
      type: "openai",
      format: "chat",
      baseUrl: "http://127.0.0.1",
      models: ["simulated"],
      groups: ["default"],
      keys,
      allowPrivate: true,
      keepsKeys: false,
    },
  ]);
  return channels;
}
