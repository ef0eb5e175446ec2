// Clients that ask without pause and write down every answer that they got whole.
import { chatBody } from "../harness/ask.ts";
import type { Gateway } from "../harness/gateway.ts";

export interface Customer {
  id: string;
  key: string;
}

/** An answer that a client has in full, and what it must have cost. */
export interface Acknowledged {
  requestId: string;
  accountId: string;
  micros: number;
}

/** Answers that the clients have seen so far, across all processes of the gateway. */
export interface Seen {
  answers: Acknowledged[];
  streamed: number;
  refused: number;
  /** Credits by their own id; only those that were confirmed. */
  credits: { id: string; accountId: string; micros: number }[];
  /** Answers that nobody should get: anything but the work, or a 402. */
  odd: string[];
}

export interface LoadOptions {
  gateway: Gateway;
  customers: readonly Customer[];
  lanes: number;
  seen: Seen;
  /** Ends the load; requests that are under way are abandoned. */
  signal: AbortSignal;
}

export const inputMicrosPerToken = 1;
export const outputMicrosPerToken = 2;
const tokensMax = 40;
const creditMicros = 700;

/** Never rejects: that the gateway dies under it is what it is for. */
export async function runLoad(options: LoadOptions): Promise<void> {
  const lanes = Array.from({ length: options.lanes }, (_, at) => runLane(options, at));
  await Promise.all([...lanes, runCredits(options)]);
}

async function runLane(options: LoadOptions, lane: number): Promise<void> {
  const { customers, signal, seen } = options;
  for (let turn = lane; !signal.aborted; turn++) {
    const customer = customers[turn % customers.length];
    if (!customer) return;
    try {
      await askOnce(options, customer, turn % 2 === 0);
    } catch (error) {
      // A dead gateway ends the lane; so does anything that a test of ours got wrong.
      if (error instanceof SyntaxError) seen.odd.push(String(error));
      return;
    }
  }
}

async function askOnce(
  { gateway, seen, signal }: LoadOptions,
  customer: Customer,
  stream: boolean,
): Promise<void> {
  const input = Math.ceil(Math.random() * tokensMax);
  const output = Math.ceil(Math.random() * tokensMax);
  const body = chatBody("m", { stream, max_tokens: tokensMax, user: `${input}/${output}` });
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${customer.key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
    signal,
  });
  const text = await response.text();
  if (response.status === 402) {
    seen.refused++;
    return;
  }
  if (response.status !== 200) {
    seen.odd.push(`status ${response.status}: ${text}`);
    return;
  }
  if (stream && !text.trimEnd().endsWith("data: [DONE]")) return;
  if (stream) seen.streamed++;
  seen.answers.push({
    requestId: response.headers.get("x-request-id") ?? "",
    accountId: customer.id,
    micros: input * inputMicrosPerToken + output * outputMicrosPerToken,
  });
}

/** One credit after the other, each with an id of its own and sent twice. */
async function runCredits({ gateway, customers, seen, signal }: LoadOptions): Promise<void> {
  for (let turn = 0; !signal.aborted; turn++) {
    const customer = customers[turn % customers.length];
    if (!customer) return;
    const id = crypto.randomUUID();
    const body = { id, micros: creditMicros, reason: "crash campaign" };
    try {
      await gateway.control("POST", `/api/user/${customer.id}/credit`, body);
      seen.credits.push({ id, accountId: customer.id, micros: creditMicros });
      await gateway.control("POST", `/api/user/${customer.id}/credit`, body);
    } catch {
      return;
    }
  }
}
