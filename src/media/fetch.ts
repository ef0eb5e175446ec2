// The one way to a URL that a user or a vendor gave: only public addresses unless a channel says
// otherwise, each hop checked anew, bounded in size and time. Whoever asked learns only that it
// did not work: a reason would tell what there is inside.
import type { Deadlines } from "../core/deadline.ts";
import { OutboundFailed, type OutboundReply, type Send, type Transport } from "../core/outbound.ts";
import type { HeldGrants, OutboundPass, Pass } from "../core/pass/pass.ts";
import { judgeLiteral, locate, type LocateRules, type MediaPlace } from "./locate.ts";

interface FetchNeeds extends LocateRules {
  send: Send;
  deadlines: Deadlines;
}

/** Rights of the channel that a result is fetched for. */
export interface FetchRules {
  /** For vendors whose channel may be on a network of one's own; never for what users send. */
  allowPrivate: boolean;
  /** Grants of the channel's key; absent where nothing of a vendor's is fetched. */
  held?: HeldGrants;
  /** The channel's way to an exchange for one. */
  passTransport?: Transport;
}

export interface FetchAsk extends FetchRules {
  /** For the host of the URL alone: another origin that it redirects to does not get them. */
  headers?: Readonly<Record<string, string>>;
  /** The same of a key that is exchanged or signs. */
  pass?: Pass | undefined;
  bytesMax: number;
  /** For all of it, the last byte included. */
  timeoutMs: number;
}

/** The body as it arrives; null at its end. `close` must be called in any case. */
export interface Fetched {
  read(): Promise<Uint8Array | null>;
  close(): void;
}

export async function* piecesOf(fetched: Fetched): AsyncIterable<Uint8Array> {
  for (let piece = await fetched.read(); piece; piece = await fetched.read()) yield piece;
}

interface PostAsk {
  headers: Readonly<Record<string, string>>;
  body: string;
  timeoutMs: number;
}

export interface ExchangeAsk extends Omit<Hop, "allowedPorts"> {
  /** Ports besides 80 and 443. */
  allowedPorts: readonly number[];
  bytesMax: number;
  /** For all of it, the last byte included. */
  timeoutMs: number;
}

export class FetchFailed extends Error {
  override readonly name = "FetchFailed";
  /** For the log, not for whoever gave the URL. */
  readonly reason: string;
  readonly isTooLarge: boolean;
  /** Status answered instead; null when nothing was. */
  readonly status: number | null;

  constructor(reason: string, isTooLarge = false, status: number | null = null) {
    super("The address could not be fetched.");
    this.reason = reason;
    this.isTooLarge = isTooLarge;
    this.status = status;
  }
}

const hopsMax = 3;
const addressesTriedMax = 3;
const tooLarge = () => new FetchFailed("it is too large", true);

interface Hop {
  method: "GET" | "POST";
  headers: Readonly<Record<string, string>>;
  body?: string;
  allowPrivate: boolean;
  pass?: OutboundPass | undefined;
  passTransport?: Transport | undefined;
  /** In place of those that URLs of users may name. */
  allowedPorts?: readonly number[];
}

export class GuardedFetch {
  readonly #needs: FetchNeeds;

  constructor(needs: FetchNeeds) {
    this.#needs = needs;
  }

  /** The URL as it would be fetched, or null when that can be ruled out without a look-up. */
  accepts(text: string): string | null {
    return judgeLiteral(text, this.#needs)?.href ?? null;
  }

  async open(text: string, ask: FetchAsk): Promise<Fetched> {
    const time = new TimeLimit(this.#needs.deadlines, ask.timeoutMs);
    try {
      const reply = await this.#follow(text, ask, time);
      return new BoundedBody(reply, ask.bytesMax, time);
    } catch (error) {
      time.end();
      throw toFailure(error);
    }
  }

  /** Sends once and follows nowhere; the status that came back. */
  async post(text: string, { timeoutMs, ...rest }: PostAsk): Promise<number> {
    const time = new TimeLimit(this.#needs.deadlines, timeoutMs);
    try {
      const reply = await this.#hop(text, { method: "POST", allowPrivate: false, ...rest }, time);
      reply.cancel();
      return reply.status;
    } catch (error) {
      throw toFailure(error);
    } finally {
      time.end();
    }
  }

  /** Sends once, follows nowhere, and reads all that comes back. */
  async exchange(
    text: string,
    { timeoutMs, bytesMax, ...hop }: ExchangeAsk,
  ): Promise<{ status: number; headers: Headers; body: Uint8Array }> {
    const time = new TimeLimit(this.#needs.deadlines, timeoutMs);
    try {
      const reply = await this.#hop(text, hop, time);
      const body = await time.bound(reply.bytes(bytesMax));
      return { status: reply.status, headers: reply.headers, body };
    } catch (error) {
      throw toFailure(error);
    } finally {
      time.end();
    }
  }

  async #follow(text: string, ask: FetchAsk, time: TimeLimit): Promise<OutboundReply> {
    const { allowPrivate, held, passTransport } = ask;
    let headers = ask.headers ?? {};
    let pass = ask.pass && held && { pass: ask.pass, held };
    let url = text;
    for (let hops = 0; hops <= hopsMax; hops++) {
      const hop: Hop = { method: "GET", headers, pass, passTransport, allowPrivate };
      const reply = await this.#hop(url, hop, time);
      if (reply.status === 200) return reply;
      reply.cancel();
      const next = redirectOf(reply, url);
      if (next.origin !== URL.parse(url)?.origin) [headers, pass] = [{}, undefined];
      url = next.href;
    }
    throw new FetchFailed("it redirects too often");
  }

  async #hop(text: string, hop: Hop, time: TimeLimit): Promise<OutboundReply> {
    const { allowedPorts = this.#needs.allowedPorts } = hop;
    const rules = { ...this.#needs, allowedPorts };
    const place = await time.bound(locate(text, hop.allowPrivate, rules));
    if (!place) throw new FetchFailed("the address is not allowed");
    const addresses = place.addresses.slice(0, addressesTriedMax);
    let failure: unknown = null;
    for (const address of addresses) {
      try {
        return await this.#needs.send(toRequest(place, address, { hop, signal: time.signal }));
      } catch (error) {
        const isUnsent = error instanceof OutboundFailed && error.isUnsent;
        if (!isUnsent || time.signal.aborted) throw error;
        failure = error;
      }
    }
    throw failure;
  }
}

function toRequest(
  { url }: MediaPlace,
  address: string,
  { hop, signal }: { hop: Hop; signal: AbortSignal },
) {
  const { method, headers, body, pass, passTransport } = hop;
  const direct = new URL(url);
  direct.hostname = address.includes(":") ? `[${address}]` : address;
  return {
    url: direct.href,
    method,
    headers: {
      "user-agent": "sluice",
      "accept-encoding": "identity",
      ...headers,
      host: url.host,
    },
    ...(body !== undefined && { body }),
    pass,
    passTransport,
    // An address in the URL itself is what the certificate must be for already.
    ...(direct.hostname !== url.hostname && { serverName: url.hostname }),
    signal,
  };
}

function redirectOf(reply: OutboundReply, from: string): URL {
  const location = reply.headers.get("location");
  const isRedirect = [301, 302, 303, 307, 308].includes(reply.status) && location !== null;
  const next = isRedirect ? URL.parse(location, from) : null;
  const { status } = reply;
  if (!next) throw new FetchFailed(`it answered with status ${status}`, false, status);
  return next;
}

function toFailure(error: unknown): FetchFailed {
  if (error instanceof FetchFailed) return error;
  return new FetchFailed(error instanceof Error ? error.message : "failed");
}

class TimeLimit {
  readonly #abort = new AbortController();
  readonly #watch;

  constructor(deadlines: Deadlines, timeoutMs: number) {
    this.#watch = deadlines.watch(timeoutMs, () => this.#abort.abort());
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** For what cannot be aborted itself, such as looking up a name. */
  async bound<Value>(run: Promise<Value>): Promise<Value> {
    const { promise, reject } = Promise.withResolvers<never>();
    const expire = () => reject(new FetchFailed("it took too long"));
    this.signal.addEventListener("abort", expire);
    try {
      return await Promise.race([run, promise]);
    } finally {
      this.signal.removeEventListener("abort", expire);
    }
  }

  end(): void {
    this.#watch.end();
  }
}

class BoundedBody implements Fetched {
  readonly #reply: OutboundReply;
  readonly #time: TimeLimit;
  #left: number;

  constructor(reply: OutboundReply, bytesMax: number, time: TimeLimit) {
    this.#reply = reply;
    this.#time = time;
    this.#left = bytesMax;
    const declared = Number(reply.headers.get("content-length") ?? 0);
    if (declared <= bytesMax) return;
    reply.cancel();
    throw tooLarge();
  }

  async read(): Promise<Uint8Array | null> {
    try {
      const { value } = await this.#time.bound(this.#reply.read());
      this.#left -= value?.length ?? 0;
      if (this.#left >= 0) return value ?? null;
    } catch (error) {
      this.close();
      throw toFailure(error);
    }
    this.close();
    throw tooLarge();
  }

  close(): void {
    this.#time.end();
    this.#reply.cancel();
  }
}
