// Clients that ask for videos and images and look after them, and write down what they were told.
// Who gets no answer asks again, as SDKs do, under the same idempotency key.
import type { Gateway } from "../../harness/gateway.ts";
import { between } from "../lives.ts";
import type { Customer } from "../load.ts";
import { createOf, fates, offers, readPathOf, readTask, type Offer } from "./offers.ts";

/** A video that was asked for, whether or not the gateway lived to answer. */
export interface Asked {
  /** In the prompt, and the idempotency key. */
  mark: string;
  prompt: string;
  offer: Offer;
  customer: Customer;
  /** The task, once the client has its answer. */
  id: string | null;
  /** Ending of the task, once the client was told. */
  end: string | null;
}

/** Answers that the clients have seen so far, across all processes of the gateway. */
export interface Seen {
  /** Requests by the mark, which no two have in common. */
  asked: Map<string, Asked>;
  accepted: Asked[];
  /** Sent at least once, and never answered. */
  unanswered: Set<Asked>;
  refused: number;
  repeated: number;
  reads: number;
  /** Answers that nobody should get. */
  odd: string[];
}

export function nothingSeen(): Seen {
  return {
    asked: new Map(),
    accepted: [],
    unanswered: new Set(),
    refused: 0,
    repeated: 0,
    reads: 0,
    odd: [],
  };
}

export interface LoadOptions {
  gateway: Gateway;
  customers: readonly Customer[];
  seen: Seen;
  /** Ends the load; requests that are under way are abandoned. */
  signal: AbortSignal;
}

const createLanes = 8;
const readLanes = 2;
/** So many of the newest are asked about; most of the others have ended long ago. */
const readsBack = 60;
const repeatShare = 0.3;
const takesSecondsMax = 1;
const pauseMsMax = 60;
/** For a bad request, lack of money, lack of a channel, and vendors that are out of order. */
const refusals = new Set([400, 402, 429, 502, 503]);

/** Never rejects: that the gateway dies under it is what it is for. */
export async function runLoad(options: LoadOptions): Promise<void> {
  const lanes = (count: number, step: (options: LoadOptions) => Promise<void>) =>
    Array.from({ length: count }, () => runLane(options, step));
  await Promise.all([...lanes(createLanes, createOne), ...lanes(readLanes, readOne)]);
}

async function runLane(
  options: LoadOptions,
  step: (options: LoadOptions) => Promise<void>,
): Promise<void> {
  while (!options.signal.aborted) {
    try {
      await Bun.sleep(between(0, pauseMsMax));
      await step(options);
    } catch (error) {
      // A dead gateway ends the lane; so does anything that a test of ours got wrong.
      if (error instanceof SyntaxError) options.seen.odd.push(String(error));
      return;
    }
  }
}

/** The mark of a prompt that the campaign wrote. */
export function markIn(prompt: string): string {
  return /mark-\d+/.exec(prompt)?.[0] ?? `no mark in ${prompt}`;
}

async function createOne({ gateway, customers, seen, signal }: LoadOptions): Promise<void> {
  const before = Math.random() < repeatShare ? repeatable(seen) : null;
  if (before) seen.repeated++;
  const asked = before ?? newAsked(seen, customers);
  const { mark, prompt, offer, customer } = asked;
  const [path, body] = createOf(offer, prompt);
  const response = await fetch(gateway.url + path, {
    method: "POST",
    headers: {
      authorization: `Bearer ${customer.key}`,
      "content-type": "application/json",
      "idempotency-key": mark,
    },
    body: JSON.stringify(body),
    signal,
  });
  const text = await response.text();
  seen.unanswered.delete(asked);
  const id = response.status === 200 ? readTask(text).id : null;
  if (id !== null) accept(seen, asked, id);
  // The imgF dialect has a number for a prompt that is not taken, and no other status.
  else if (refusals.has(response.status) || text.startsWith('{"code":24,')) seen.refused++;
  else seen.odd.push(`status ${response.status}: ${text}`);
}

/** One that was never answered, or else the newest that was. */
function repeatable({ unanswered, accepted }: Seen): Asked | null {
  return unanswered.size > 0 ? anyOf([...unanswered]) : (accepted.at(-1) ?? null);
}

function newAsked(seen: Seen, customers: readonly Customer[]): Asked {
  const mark = `mark-${seen.asked.size + 1}`;
  const takes = between(0, takesSecondsMax).toFixed(2);
  const prompt = `A boat in a lock, ${mark} sandbox:seconds=${takes} ${anyOf(fates)}`;
  const facts = { mark, prompt, offer: anyOf(offers), customer: anyOf(customers) };
  const asked: Asked = { ...facts, id: null, end: null };
  seen.asked.set(mark, asked);
  seen.unanswered.add(asked);
  return asked;
}

function accept({ accepted, odd }: Seen, asked: Asked, id: string): void {
  if (asked.id === null) accepted.push(asked);
  else if (asked.id !== id) odd.push(`${asked.mark} made ${asked.id}, and then ${id}`);
  asked.id = id;
}

/** A client's answer, once told, stays so. */
async function readOne({ gateway, seen, signal }: LoadOptions): Promise<void> {
  if (seen.accepted.length === 0) return;
  const asked = anyOf(seen.accepted.slice(-readsBack));
  const { end } = asked;
  const response = await fetch(gateway.url + readPathOf(asked.offer, asked.id ?? ""), {
    headers: { authorization: `Bearer ${asked.customer.key}` },
    signal,
  });
  const text = await response.text();
  seen.reads++;
  if (response.status !== 200) {
    seen.odd.push(`${asked.id} was accepted, and is answered with ${response.status}: ${text}`);
    return;
  }
  const { status } = readTask(text);
  if (end !== null && status !== end) seen.odd.push(`${asked.id} was ${end}, and is ${status} now`);
  if (status === "completed" || status === "failed") asked.end = status;
}

function anyOf<Item>(items: readonly Item[]): Item {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new SyntaxError("there is nothing to choose from");
  return item;
}
