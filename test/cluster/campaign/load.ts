// Clients that ask any node without pause, with money near its end, and write down what they were
// told. Who gets no answer knows nothing.
import { chatBody } from "../../harness/ask.ts";
import { rootToken, type Gateway } from "../../harness/gateway.ts";
import { completion, delta, usageChunk, Vendor } from "../../harness/vendor.ts";
import { between } from "../../crash/lives.ts";
import type { Payer, Seen } from "./seen.ts";

export interface LoadNeeds {
  payers: readonly Payer[];
  seen: Seen;
  /** Any that is up, well or not; null while there is none. */
  anyNode(): Gateway | null;
  /** Micros with nodes that were not heard of since then, by the clock that never goes back. */
  strandedMicros(accountId: string, sinceMs: number): Promise<number>;
  /** Words for a refusal by a budget that still had something; null where it was right. */
  judgeBudget(refusal: string, sinceMs: number): Promise<string | null>;
  isOver(): boolean;
}

interface ChatModel {
  model: string;
  price: object;
  /** Price of each answer; the hold may be more. */
  micros: number;
}

const flat = { model: "flat", price: { call_micros: 1000 }, micros: 1000 } as const;
/** Ten tokens in and twenty out, of many more that it might have taken. */
const metered = {
  model: "metered",
  price: { input_micros_per_million: 10_000_000, output_micros_per_million: 20_000_000 },
  micros: 500,
} as const;

/** Its vendor never answers. */
export const longModel = "long";
const long = { model: longModel, price: { call_micros: 1000 }, micros: 1000 } as const;

export const chatModels: readonly ChatModel[] = [flat, metered, long];
export const flatMicros = flat.micros;

const outputTokensMax = 90;
/** More than any request holds. */
export const holdMicrosMax = 2500;
export const answerMsMax = 6000;
const streamShare = 0.4;
const richShare = 0.3;
const failShare = 0.05;
const pauseMs = 40;
const topUpTries = 5;
const brokenWord = "broken";

/** Answers a little late, and refuses what has the word in it; tells of what it never answers. */
export function startChatVendor(began: () => void): Vendor {
  return new Vendor(async (request, reply) => {
    if (request.body["model"] === longModel) return began();
    await Bun.sleep(between(0, 40));
    if (request.text.includes(brokenWord)) return reply.json({ error: { message: "no" } }, 400);
    if (request.body["stream"] !== true) return reply.json(completion("Yes."));
    reply.stream();
    reply.event(delta({ role: "assistant", content: "Yes." }));
    await Bun.sleep(between(0, 60));
    reply.event(delta({}, "stop"));
    reply.event(usageChunk());
    reply.event("[DONE]");
    reply.end();
  });
}

/** Chats of anybody; with `isLimited` of that key alone, or else now and then. */
export async function runChatLane(
  needs: LoadNeeds,
  pick: () => { payer: Payer; isLimited?: boolean } = () => ({ payer: pickPayer(needs.payers) }),
): Promise<void> {
  while (!needs.isOver()) {
    const { payer, isLimited = Math.random() < 0.3 } = pick();
    const status = await askOnce(needs, payer, {
      chat: Math.random() < 0.5 ? flat : metered,
      isStream: Math.random() < streamShare,
      isBroken: Math.random() < failShare,
      isLimited,
    });
    await Bun.sleep(status === "200" ? between(0, 10) : pauseMs);
  }
}

function pickPayer(payers: readonly Payer[]): Payer {
  const [rich, ...poor] = payers;
  const payer = Math.random() < richShare ? rich : poor[Math.floor(Math.random() * poor.length)];
  if (!payer) throw new Error("there is nobody to pay");
  return payer;
}

export interface ChatWish {
  chat: ChatModel;
  isStream: boolean;
  isBroken: boolean;
  isLimited: boolean;
}

/** One request of the plain kind. */
export const plainWish: ChatWish = {
  chat: flat,
  isStream: false,
  isBroken: false,
  isLimited: false,
};

export async function askOnce(needs: LoadNeeds, payer: Payer, wish: ChatWish): Promise<string> {
  const { seen } = needs;
  const gateway = needs.anyNode();
  const status = gateway ? await askNode(gateway, needs, payer, wish) : "no node";
  seen.count(status);
  return status;
}

async function askNode(
  gateway: Gateway,
  needs: LoadNeeds,
  payer: Payer,
  { chat, isStream, isBroken, isLimited }: ChatWish,
): Promise<string> {
  const { seen } = needs;
  const sinceMs = performance.now();
  const body = chatBody(chat.model, {
    stream: isStream,
    max_tokens: outputTokensMax,
    user: isBroken ? brokenWord : "client",
  });
  try {
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${payer.keys[isLimited ? 1 : 0].key}`,
        "content-type": "application/json",
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(answerMsMax),
    });
    const text = await response.text();
    const id = response.headers.get("x-request-id") ?? "";
    const isWhole = response.status === 200 && (!isStream || text.includes("[DONE]"));
    const isDenied = response.status !== 200 || text.includes("nothing was charged");
    if (response.status === 402) {
      await judgeRefusal(needs, payer, { id, text, isLimited, sinceMs });
    }
    if (response.status === 500) seen.odd.push(`failed: ${text} ${await linesOf(gateway, id)}`);
    if (isWhole) seen.acknowledge({ id, accountId: payer.id, micros: chat.micros });
    else if (isDenied) seen.refuse(id);
    else seen.mayBeCharged(payer.id);
    if (isWhole) return "200";
    return isDenied ? String(response.status === 200 ? 503 : response.status) : "cut";
  } catch {
    seen.mayBeCharged(payer.id);
    return "no answer";
  }
}

interface Refusal {
  id: string;
  text: string;
  isLimited: boolean;
  sinceMs: number;
}

/** Nobody is refused while what is needed is with a node that was not heard of since. */
async function judgeRefusal(
  { seen, strandedMicros, judgeBudget }: LoadNeeds,
  payer: Payer,
  { id, text, isLimited, sinceMs }: Refusal,
): Promise<void> {
  if (isLimited && !payer.isRich) return;
  if (isLimited) {
    const fault = await judgeBudget(text, sinceMs);
    seen.budgetRefusals++;
    if (fault !== null) seen.odd.push(`${id}: ${fault}`);
    return;
  }
  if (payer.isRich) seen.odd.push(`the rich account was refused: ${id} ${text}`);
  const stranded = await strandedMicros(payer.id, sinceMs);
  seen.refusalsChecked++;
  if (stranded >= holdMicrosMax) seen.odd.push(`${id} was refused with ${stranded} elsewhere`);
}

const lineMs = 100;

/** A node's log lines about a request; its line comes by another way than its answer. */
export async function linesOf(gateway: Gateway, requestId: string): Promise<string> {
  await Bun.sleep(lineMs);
  const lines = gateway.output.split("\n").filter((line) => line.includes(requestId));
  return lines.join(" ");
}

let credits = 0;

/** Some money for somebody, sent again under its id where no answer came. */
export async function topUp(needs: LoadNeeds, payer: Payer, micros: number): Promise<boolean> {
  const { seen } = needs;
  const credit = { id: `top-up-${++credits}`, accountId: payer.id, micros };
  seen.creditsSent.set(credit.id, credit);
  for (let tries = 0; tries < topUpTries; tries++) {
    const gateway = needs.anyNode();
    const isBooked = gateway !== null && (await bookCredit(gateway, credit));
    if (isBooked) {
      seen.credits.push(credit);
      return true;
    }
    await Bun.sleep(pauseMs);
  }
  return false;
}

async function bookCredit(
  gateway: Gateway,
  { id, accountId, micros }: { id: string; accountId: string; micros: number },
): Promise<boolean> {
  try {
    const response = await fetch(`${gateway.url}/api/user/${accountId}/credit`, {
      method: "POST",
      headers: { authorization: `Bearer ${rootToken}`, "content-type": "application/json" },
      body: JSON.stringify({ micros, reason: "campaign", id }),
      signal: AbortSignal.timeout(answerMsMax),
    });
    const { success } = (await response.json()) as { success: boolean };
    return success;
  } catch {
    return false;
  }
}
