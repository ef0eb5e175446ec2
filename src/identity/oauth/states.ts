// Sign-ins that are under way. Each has a state that the provider hands back: it is used once,
// within minutes, in the browser that began it, and with the provider it was begun for. Kept in
// memory, in bounds: after a restart one begins again.
import type { Clock } from "../../core/clock.ts";
import { digestOf } from "../../core/digest.ts";
import { GatewayError } from "../../core/errors.ts";
import type { AccountId } from "../../core/ids.ts";
import type { Random } from "../../core/random.ts";
import { networkOf } from "../../core/url-guard.ts";
import { Pacer } from "../access/pacer.ts";

export const stateTtlMs = 600_000;
const flowsMax = 16_384;
const secretBytes = 32;
/** Many people may share an address; a page may ask for several states at once. */
const pace = { triesFree: 120, paybackMs: 1000, waitMsMax: 10_000 };

/** What a sign-in was begun with. */
export interface Begun {
  /** Null until it is said. */
  provider: string | null;
  /** The account that the identity is to be linked to; null to sign in. */
  accountId: AccountId | null;
  /** A code that lets make an account. */
  invitation: string | null;
}

export interface Flow extends Begun {
  /** The digest of the text in the browser's cookie. */
  browser: string;
  codeVerifier: string;
  nonce: string;
  endsAtMs: number;
}

export interface Opened {
  state: string;
  /** The text for the browser's cookie. */
  browser: string;
}

export class States {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #pacer: Pacer;
  readonly #flowsMax: number;
  /** By the digest of the state, oldest first. */
  readonly #flows = new Map<string, Flow>();

  constructor(clock: Clock, random: Random, flowsCap: number = flowsMax) {
    this.#clock = clock;
    this.#random = random;
    this.#pacer = new Pacer(clock, pace);
    this.#flowsMax = flowsCap;
  }

  get size(): number {
    return this.#flows.size;
  }

  /** `browser` is what its cookie says so far, which counts only when it came from here. */
  begin(begun: Begun, browser: string | null, ip: string): Opened {
    this.#admit(ip);
    this.#forgetOld();
    const known = browser !== null && this.#isKnown(digestOf(browser)) ? browser : this.#secret();
    const state = this.#secret();
    this.#flows.set(digestOf(state), {
      ...begun,
      browser: digestOf(known),
      codeVerifier: this.#secret(),
      nonce: this.#secret(),
      endsAtMs: this.#clock.monotonicMs() + stateTtlMs,
    });
    return { state, browser: known };
  }

  /** The sign-in with its provider said; one of another provider, browser or time is none. */
  bind(state: string, browser: string, provider: string): Flow | null {
    const flow = this.#find(state, browser);
    if (!flow || (flow.provider !== null && flow.provider !== provider)) return null;
    flow.provider = provider;
    return flow;
  }

  /**
   * Uses it up, whatever comes of it. In another browser it is left as it is: whoever came by it
   * there must not be able to spoil it.
   */
  take(state: string, browser: string, provider: string): Flow | null {
    const flow = this.#find(state, browser);
    if (!flow) return null;
    this.#flows.delete(digestOf(state));
    return flow.provider === provider ? flow : null;
  }

  /** Whoever has signed in begins with another cookie the next time. */
  forget(browser: string): void {
    const hash = digestOf(browser);
    for (const [state, flow] of this.#flows) {
      if (flow.browser === hash) this.#flows.delete(state);
    }
  }

  #find(state: string, browser: string): Flow | null {
    const flow = this.#flows.get(digestOf(state));
    const isOver = (flow?.endsAtMs ?? 0) <= this.#clock.monotonicMs();
    return flow && !isOver && flow.browser === digestOf(browser) ? flow : null;
  }

  #isKnown(hash: string): boolean {
    for (const { browser } of this.#flows.values()) if (browser === hash) return true;
    return false;
  }

  #admit(ip: string): void {
    const address = networkOf(ip);
    const waitMs = this.#pacer.waitMs(address);
    if (waitMs > 0) {
      const retryAfterSeconds = Math.ceil(waitMs / 1000);
      const message = "Too many sign-ins were begun. Try again in some seconds.";
      throw new GatewayError("rate_limit_exceeded", { message, retryAfterSeconds });
    }
    this.#pacer.count(address);
  }

  #forgetOld(): void {
    const nowMs = this.#clock.monotonicMs();
    for (const [state, { endsAtMs }] of this.#flows) {
      if (endsAtMs > nowMs && this.#flows.size < this.#flowsMax) return;
      this.#flows.delete(state);
    }
  }

  #secret(): string {
    return Buffer.from(this.#random.bytes(secretBytes)).toString("base64url");
  }
}
