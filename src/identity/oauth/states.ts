// Sign-ins that are under way. Each has a state that the provider hands back: it is used once,
// within minutes, in the browser that began it, and with the provider it was begun for, or with any
// where none was said. Kept in rows, in bounds: the browser may come back to another node, or after
// a restart.
import type { Clock } from "../../core/clock.ts";
import { digestOf } from "../../core/digest.ts";
import { GatewayError } from "../../core/errors.ts";
import type { AccountId } from "../../core/ids.ts";
import type { Random } from "../../core/random.ts";
import { compile, parseWith, Type } from "../../core/schema.ts";
import type { Seal } from "../../core/seal.ts";
import { networkOf } from "../../core/url-guard.ts";
import type { Database } from "../../store/database.ts";
import type { Store } from "../../store/store.ts";
import { Pacer } from "../access/pacer.ts";
import {
  bindFlow,
  deleteFlowsOf,
  insertFlow,
  isBrowserKnown,
  takeFlow,
  type FlowRow,
} from "./queries.ts";

export const stateTtlMs = 600_000;
const flowsMaxDefault = 16_384;
const secretBytes = 32;
/** Many people may share an address; a page may ask for several states at once. */
const pace = { triesFree: 120, paybackMs: 1000, waitMsMax: 10_000 };

/** Values that a sign-in was begun with. */
export interface Begun {
  /** Null until it is said; a callback may be the first to say it. */
  provider: string | null;
  /** The account that the identity is to be linked to; null to sign in. */
  accountId: AccountId | null;
  /** A code that lets make an account. */
  invitation: string | null;
}

export interface Flow extends Begun {
  codeVerifier: string;
  nonce: string;
}

export interface Opened {
  state: string;
  /** The text for the browser's cookie. */
  browser: string;
}

export interface StatesNeeds {
  store: Store;
  database: Database;
  seal: Seal;
  clock: Clock;
  random: Random;
}

type Secrets = Pick<Flow, "codeVerifier" | "nonce" | "invitation">;

const secretsChecker = compile(
  Type.Object({
    codeVerifier: Type.String(),
    nonce: Type.String(),
    invitation: Type.Union([Type.String(), Type.Null()]),
  }),
);

export class States {
  readonly #needs: StatesNeeds;
  readonly #pacer: Pacer;
  readonly #flowsMax: number;

  constructor(needs: StatesNeeds, flowsMax: number = flowsMaxDefault) {
    this.#needs = needs;
    this.#pacer = new Pacer(needs.clock, pace);
    this.#flowsMax = flowsMax;
  }

  /** `browser` is what its cookie says so far, which counts only when it came from here. */
  async begin(begun: Begun, browser: string | null, ip: string): Promise<Opened> {
    this.#admit(ip);
    const { store, database, seal, clock } = this.#needs;
    const nowMs = clock.nowMs();
    const isKnown = browser !== null && (await isBrowserKnown(database, digestOf(browser), nowMs));
    const known = isKnown ? browser : this.#secret();
    const state = this.#secret();
    const stateHash = digestOf(state);
    const { provider, accountId, invitation } = begun;
    const secrets: Secrets = { codeVerifier: this.#secret(), nonce: this.#secret(), invitation };
    const row: FlowRow = {
      state_hash: stateHash,
      browser_hash: digestOf(known),
      provider,
      account_id: accountId,
      sealed: seal.close(JSON.stringify(secrets), flowContext(stateHash)),
      ends_at_ms: nowMs + stateTtlMs,
    };
    await insertFlow(store, database, row, { nowMs, flowsMax: this.#flowsMax });
    return { state, browser: known };
  }

  /** The sign-in with its provider said; one of another provider, browser or time is none. */
  async bind(state: string, browser: string, provider: string): Promise<Flow | null> {
    const row = await bindFlow(this.#needs.database, this.#key(state, browser), provider);
    return row && this.#read(row);
  }

  /**
   * Uses it up, whatever comes of it. In another browser it is left as it is: whoever came by it
   * there must not be able to spoil it.
   */
  async take(state: string, browser: string, provider: string): Promise<Flow | null> {
    const row = await takeFlow(this.#needs.database, this.#key(state, browser));
    const isForProvider = row?.provider === null || row?.provider === provider;
    return row && isForProvider ? this.#read(row) : null;
  }

  /** The browser begins with another cookie at the next sign-in. */
  async forget(browser: string): Promise<void> {
    await deleteFlowsOf(this.#needs.database, digestOf(browser));
  }

  #key(state: string, browser: string) {
    const nowMs = this.#needs.clock.nowMs();
    return { stateHash: digestOf(state), browserHash: digestOf(browser), nowMs };
  }

  /** Null for what was sealed under another secret. */
  #read({ state_hash: hash, provider, account_id: accountId, sealed }: FlowRow): Flow | null {
    const { seal } = this.#needs;
    try {
      const secrets = parseWith(secretsChecker, JSON.parse(seal.open(sealed, flowContext(hash))));
      return { provider, accountId, ...secrets };
    } catch {
      return null;
    }
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

  #secret(): string {
    return Buffer.from(this.#needs.random.bytes(secretBytes)).toString("base64url");
  }
}

export function flowContext(stateHash: string): string {
  return `oauth flow ${stateHash}`;
}
