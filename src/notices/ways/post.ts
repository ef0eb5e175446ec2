// Calls a hook once, within a time, and reads what it answers.
import type { Deadlines } from "../../core/deadline.ts";
import { plainTransport, type Send } from "../../core/outbound.ts";

export interface HookNeeds {
  send: Send;
  deadlines: Deadlines;
}

type Headers = Readonly<Record<string, string>>;

const callMs = 15_000;
const replyBytesMax = 64 * 1024;

/** The text that came back; throws where the answer is no success. Names no address. */
export async function postHook(
  { send, deadlines }: HookNeeds,
  url: string,
  { headers, body }: { headers: Headers; body: string },
): Promise<string> {
  const abort = new AbortController();
  const watch = deadlines.watch(callMs, () => abort.abort());
  try {
    const { signal } = abort;
    const transport = plainTransport;
    const reply = await send({ url, method: "POST", headers, body, transport, signal });
    const bytes = await reply.bytes(replyBytesMax);
    if (reply.status < 200 || reply.status > 299) throw new Error(`it answered ${reply.status}`);
    return new TextDecoder().decode(bytes);
  } finally {
    watch.end();
  }
}
