// A vendor that keeps prompts as vendors do: for each of its keys apart, by the messages that a
// request begins with, and for five minutes after they were last used. It tells how much of the
// input it had, and can fail or be busy by key.
import { Vendor, type VendorReply, type VendorRequest } from "../vendor.ts";

type Mood = "well" | "failing" | "busy" | "refusing";

const bytesPerToken = 4;
/** Shorter prompts are kept by no vendor. */
const cachedTokensMin = 1024;
const keptMinutes = 5;

interface Sums {
  input: number;
  cached: number;
}

export class CachingVendor implements Disposable {
  readonly vendor: Vendor;
  readonly moods = new Map<string, Mood>();
  /** Requests served, in order: the key, and the request. */
  readonly served: { key: string; request: VendorRequest }[] = [];
  readonly sums: Sums = { input: 0, cached: 0 };
  /** Its clock, which only tests move. */
  minute = 0;
  /** Requests of which it had all but the last two messages. */
  warm = 0;
  /** Beginnings that each key has seen, and when. */
  readonly #seen = new Map<string, Map<string, number>>();

  constructor() {
    this.vendor = new Vendor((request, reply) => this.#answer(request, reply));
  }

  /** A channel on it, with one key for each of its names. */
  channel(fields: Record<string, unknown>): Record<string, unknown> {
    return this.vendor.channel({ key: undefined, ...fields });
  }

  get share(): number {
    return this.sums.cached / this.sums.input;
  }

  [Symbol.dispose](): void {
    this.vendor[Symbol.dispose]();
  }

  #answer(request: VendorRequest, reply: VendorReply): void {
    const { authorization = "", "x-api-key": own = authorization } = request.headers;
    const key = own.replace("Bearer ", "");
    const mood = this.moods.get(key) ?? "well";
    if (mood === "failing") return reply.json({ error: { message: "Ouch." } }, 500);
    if (mood === "refusing") return reply.json({ error: { message: "Who?" } }, 401);
    if (mood === "busy") {
      return reply.json({ error: { message: "Later." } }, 429, { "retry-after": "30" });
    }
    this.served.push({ key, request });
    const isMessages = request.path.endsWith("/messages");
    const { input, cached } = this.#count(key, request);
    reply.json(isMessages ? message(input, cached) : completion(input, cached));
  }

  #count(key: string, { body, text }: VendorRequest): Sums {
    const input = Math.ceil(text.length / bytesPerToken);
    let seen = this.#seen.get(key);
    if (!seen) this.#seen.set(key, (seen = new Map()));
    const messages = Array.isArray(body["messages"]) ? body["messages"] : [];
    const hasher = new Bun.CryptoHasher("md5");
    let [cached, bytes, isWarm] = [0, 0, false];
    for (const [at, one] of messages.entries()) {
      const written = JSON.stringify(one);
      hasher.update(written);
      bytes += written.length;
      const beginning = hasher.copy().digest("base64");
      const seenAt = seen.get(beginning) ?? Number.NEGATIVE_INFINITY;
      seen.set(beginning, this.minute);
      if (this.minute - seenAt > keptMinutes) continue;
      cached = Math.floor(bytes / bytesPerToken);
      isWarm = at === messages.length - 3;
    }
    if (cached < cachedTokensMin) cached = 0;
    if (isWarm) this.warm++;
    this.sums.input += input;
    this.sums.cached += cached;
    return { input, cached };
  }
}

function completion(input: number, cached: number): object {
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1_790_000_000,
    model: "vendor-model",
    choices: [{ index: 0, message: { role: "assistant", content: "Yes." }, finish_reason: "stop" }],
    usage: {
      prompt_tokens: input,
      completion_tokens: 3,
      total_tokens: input + 3,
      prompt_tokens_details: { cached_tokens: cached },
    },
  };
}

function message(input: number, cached: number): object {
  return {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "vendor-model",
    content: [{ type: "text", text: "Yes." }],
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: {
      input_tokens: input - cached,
      cache_read_input_tokens: cached,
      cache_creation_input_tokens: 0,
      output_tokens: 3,
    },
  };
}
