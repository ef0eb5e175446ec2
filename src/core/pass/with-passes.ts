// Signs what needs a pass on its way out. A grant is got once and held with its key, got anew ahead
// of its end while the old one goes on, and once more where the vendor refuses it before that.
import type { Abortable } from "../abort.ts";
import type { Clock } from "../clock.ts";
import type { Deadlines } from "../deadline.ts";
import {
  OutboundFailed,
  type OutboundReply,
  type OutboundRequest,
  type Send,
  type Transport,
} from "../outbound.ts";
import type { PassGrant, HeldGrant, OutboundPass, PassCall, PassMeans, PassReply } from "./pass.ts";
import { withoutProofs } from "./proofs.ts";

export interface PassNeeds {
  clock: Clock;
  deadlines: Deadlines;
  variable: PassMeans["variable"];
  readFile: PassMeans["readFile"];
  /** The address to connect to, which was looked up; null where the host is not public. */
  locatePublic(url: string): Promise<PublicPlace | null>;
}

/** A URL with the address in place of the host's name, and what that name is sent in. */
export type PublicPlace = Pick<OutboundRequest, "url" | "headers" | "serverName">;

type PassedRequest = OutboundRequest & { pass: OutboundPass };

const exchangeMs = 10_000;
const replyBytesMax = 256 * 1024;
const refreshAheadSeconds = 300;
/** A vendor that refuses what it has just granted is not asked for more of it. */
const replaceAgainSeconds = 60;
/** Between tries to refresh what is still good. */
const retrySeconds = 30;

export function withPasses(send: Send, needs: PassNeeds): Send {
  const passed = new PassedSend(send, needs);
  return (request) => (hasPass(request) ? passed.send(request) : send(request));
}

function hasPass(request: OutboundRequest): request is PassedRequest {
  return request.pass !== undefined;
}

class PassedSend {
  readonly #send: Send;
  readonly #needs: PassNeeds;

  constructor(send: Send, needs: PassNeeds) {
    this.#send = send;
    this.#needs = needs;
  }

  async send(request: PassedRequest): Promise<OutboundReply> {
    const { pass } = request.pass;
    const grant = this.#held(request) ?? (await until(request.signal, this.#obtain(request)));
    request.granted?.();
    const reply = await this.#sign(request, grant);
    const isRefused = pass.isRefused?.(reply.status, reply.headers) ?? reply.status === 401;
    if (!isRefused || grant.expiresAtSeconds === null) return reply;
    const next = this.#replace(request, grant);
    if (next === null) return reply;
    reply.cancel();
    return await this.#sign(request, await until(request.signal, next));
  }

  #sign(
    { pass: _pass, passTransport: _way, ...request }: PassedRequest,
    grant: PassGrant,
  ): Promise<OutboundReply> {
    const headers = { ...request.headers, ...grant.sign(request, this.#nowSeconds()) };
    return this.#send({ ...request, headers });
  }

  /** At once where it is there; one that is about to end is got anew behind the request. */
  #held(request: PassedRequest): PassGrant | null {
    const held = heldOf(request);
    const { grant } = held;
    if (grant === null || grant.expiresAtSeconds === null) return grant;
    const nowSeconds = this.#nowSeconds();
    if (nowSeconds >= grant.expiresAtSeconds) return null;
    if (nowSeconds >= held.refreshAtSeconds && held.flight === null) {
      held.refreshAtSeconds = nowSeconds + retrySeconds;
      // Those who come when it has ended hear of what is wrong.
      this.#obtain(request).catch(() => {});
    }
    return grant;
  }

  /** Null where the grant is itself one that was just got anew: then the key is to blame. */
  #replace(request: PassedRequest, refused: PassGrant): Promise<PassGrant> | null {
    const held = heldOf(request);
    if (held.flight) return held.flight;
    if (held.grant !== null && held.grant !== refused) return Promise.resolve(held.grant);
    const nowSeconds = this.#nowSeconds();
    if (nowSeconds - held.replacedAtSeconds < replaceAgainSeconds) return null;
    held.former = held.grant;
    held.grant = null;
    held.replacedAtSeconds = nowSeconds;
    return this.#obtain(request);
  }

  /** Goes on for the others who wait when the one who began it leaves. */
  #obtain(request: PassedRequest): Promise<PassGrant> {
    const held = heldOf(request);
    held.flight ??= this.#exchange(request).finally(() => (held.flight = null));
    return held.flight;
  }

  async #exchange(request: PassedRequest): Promise<PassGrant> {
    const { pass, passTransport: transport = request.transport } = request;
    const nowSeconds = this.#nowSeconds();
    const { variable, readFile } = this.#needs;
    const send = (call: PassCall) => this.#run(call, transport);
    const grant = await pass.pass.obtain({ nowSeconds, send, variable, readFile });
    const held = heldOf(request);
    held.former = held.grant ?? held.former;
    held.grant = grant;
    held.refreshAtSeconds = refreshAt(grant, nowSeconds);
    return grant;
  }

  async #run(call: PassCall, transport: Transport | undefined): Promise<PassReply> {
    const { method, headers = {}, body, isLocal } = call;
    const limit = new AbortController();
    const watch = this.#needs.deadlines.watch(exchangeMs, () => limit.abort());
    try {
      const { headers: hostHeaders, ...place } = await this.#locate(call);
      const reply = await this.#send({
        ...place,
        method,
        headers: { accept: "application/json", ...headers, "user-agent": "sluice", ...hostHeaders },
        ...(body !== undefined && { body }),
        ...(transport && !isLocal && { transport }),
        signal: limit.signal,
      });
      const text = new TextDecoder().decode(await reply.bytes(replyBytesMax));
      const { status, headers: replyHeaders } = reply;
      const safeText = status < 400 ? text : withoutProofs(text, call);
      return { status, headers: replyHeaders, text: safeText };
    } catch (error) {
      // Nothing of the request itself was sent, so that another channel may be asked.
      throw new OutboundFailed(`pass: ${OutboundFailed.from(error).message}`, true);
    } finally {
      watch.end();
    }
  }

  async #locate({ url, isPublic }: PassCall): Promise<PublicPlace> {
    if (isPublic !== true) return { url, headers: {} };
    const place = await this.#needs.locatePublic(url);
    if (place === null) throw new OutboundFailed("the address is not public", true);
    return place;
  }

  #nowSeconds(): number {
    return Math.floor(this.#needs.clock.nowMs() / 1000);
  }
}

function heldOf({ pass: { pass, held } }: PassedRequest): HeldGrant {
  const known = held.get(pass.name);
  if (known) return known;
  const fresh: HeldGrant = {
    grant: null,
    former: null,
    flight: null,
    refreshAtSeconds: 0,
    replacedAtSeconds: -Infinity,
  };
  held.set(pass.name, fresh);
  return fresh;
}

/** Five minutes ahead of the end, or a tenth of its life where that is less. */
function refreshAt({ expiresAtSeconds }: PassGrant, nowSeconds: number): number {
  if (expiresAtSeconds === null) return Infinity;
  const lifeSeconds = expiresAtSeconds - nowSeconds;
  return expiresAtSeconds - Math.min(refreshAheadSeconds, lifeSeconds / 10);
}

/** Waits no longer for one who leaves. */
async function until<Value>(signal: Abortable, work: Promise<Value>): Promise<Value> {
  const left = Promise.withResolvers<never>();
  const listener = { handleEvent: () => left.reject(new OutboundFailed("AbortError", true)) };
  if (signal.aborted) listener.handleEvent();
  signal.addEventListener("abort", listener);
  try {
    return await Promise.race([work, left.promise]);
  } finally {
    signal.removeEventListener("abort", listener);
  }
}
