// Guessing of passwords is slowed by name and address together, and by address alone: whoever
// guesses at a name from elsewhere never stands in the way of its owner. Names that do not exist
// are treated like those that do.
import type { Clock } from "../../core/clock.ts";
import { GatewayError } from "../../core/errors.ts";
import type { AccountId } from "../../core/ids.ts";
import { networkOf } from "../../core/url-guard.ts";
import { digest } from "../secrets.ts";
import { Pacer } from "./pacer.ts";

const minuteMs = 60_000;
const retryAfterSecondsMax = 60;

const paces = {
  /** A name from one address. */
  pair: { triesFree: 5, paybackMs: 5 * minuteMs, waitMsMax: 5 * minuteMs },
  /** Many people may share an address. */
  address: { triesFree: 30, paybackMs: minuteMs, waitMsMax: minuteMs },
  registration: { triesFree: 20, paybackMs: minuteMs, waitMsMax: minuteMs },
  /** Codes of six digits for one account, from wherever. */
  code: { triesFree: 10, paybackMs: 5 * minuteMs, waitMsMax: 5 * minuteMs },
};

interface Guess {
  /** The password was right, so this was no guess. */
  right(): void;
  /** The password was never looked at. */
  undo(): void;
}

export class Guesses {
  readonly #pairs: Pacer;
  readonly #addresses: Pacer;
  readonly #registrations: Pacer;
  readonly #codes: Pacer;

  /** `nodes` is how many there are: each has its share of what is free. */
  constructor(clock: Clock, nodes: () => number = () => 1) {
    this.#pairs = new Pacer(clock, paces.pair, nodes);
    this.#addresses = new Pacer(clock, paces.address, nodes);
    this.#registrations = new Pacer(clock, paces.registration, nodes);
    this.#codes = new Pacer(clock, paces.code, nodes);
  }

  /** Counted before it is judged, so that many at once are no way around. */
  begin(name: string, ip: string): Guess {
    const address = networkOf(ip);
    const pair = digest(`${address} ${name}`);
    admit(Math.max(this.#pairs.waitMs(pair), this.#addresses.waitMs(address)));
    this.#pairs.count(pair);
    this.#addresses.count(address);
    return {
      // The address keeps its other tries: a guesser may have an account of its own.
      right: () => {
        this.#pairs.forget(pair);
        this.#addresses.forgive(address);
      },
      undo: () => {
        this.#pairs.forgive(pair);
        this.#addresses.forgive(address);
      },
    };
  }

  /**
   * For a code behind a password. There are so few of them that many addresses could try them all,
   * so the account counts by itself; only who has its password can slow its owner down.
   */
  beginCode(accountId: AccountId, ip: string): Guess {
    admit(this.#codes.waitMs(accountId));
    const guess = this.begin(`code of ${accountId}`, ip);
    this.#codes.count(accountId);
    return {
      right: () => {
        this.#codes.forget(accountId);
        guess.right();
      },
      undo: () => {
        this.#codes.forgive(accountId);
        guess.undo();
      },
    };
  }

  /** Counts whether it succeeds or not: nobody needs many accounts at once. */
  register(ip: string): void {
    const address = networkOf(ip);
    admit(this.#registrations.waitMs(address));
    this.#registrations.count(address);
  }
}

function admit(waitMs: number): void {
  if (waitMs <= 0) return;
  const seconds = Math.ceil(waitMs / 1000);
  throw new GatewayError("rate_limit_exceeded", {
    message: `Too many tries. The next one is possible in ${seconds} seconds.`,
    retryAfterSeconds: Math.min(seconds, retryAfterSecondsMax),
  });
}
