// Limits of letters that anybody may ask for. What is counted is what was typed and who did, so
// that nothing is learned of who has an account.
import type { Clock } from "../../core/clock.ts";
import { GatewayError } from "../../core/errors.ts";
import type { AccountId } from "../../core/ids.ts";
import { networkOf } from "../../core/url-guard.ts";
import { Hourly } from "../../identity/access/hourly.ts";
import { comparableAddress } from "../../identity/email/address.ts";
import { digest } from "../../identity/secrets.ts";

const perNameMax = 3;
const perNetworkMax = 10;
const perSenderMax = 20;
const retryAfterSecondsMax = 3600;

export class MailAsks {
  readonly #names: Hourly;
  readonly #networks: Hourly;
  readonly #senders: Hourly;

  constructor(clock: Clock, nodes: () => number) {
    this.#names = new Hourly(clock, perNameMax, nodes);
    this.#networks = new Hourly(clock, perNetworkMax, nodes);
    this.#senders = new Hourly(clock, perSenderMax, nodes);
  }

  /** A letter to somebody else's address; throws when it is too early for another one. */
  countSent(typed: string, ip: string, sender: AccountId): void {
    const waitMs = this.#senders.waitMs(sender);
    if (waitMs > 0) throw tooEarly(waitMs);
    this.count(typed, ip);
    this.#senders.count(sender);
  }

  /** Throws when it is too early for another one. */
  count(typed: string, ip: string): void {
    const name = digest(comparableAddress(typed) ?? typed.trim().toLowerCase());
    const network = networkOf(ip);
    const waitMs = Math.max(this.#names.waitMs(name), this.#networks.waitMs(network));
    if (waitMs > 0) throw tooEarly(waitMs);
    this.#names.count(name);
    this.#networks.count(network);
  }
}

function tooEarly(waitMs: number): GatewayError {
  const seconds = Math.ceil(waitMs / 1000);
  return new GatewayError("rate_limit_exceeded", {
    message: `Too many letters were asked for. Ask again in ${Math.ceil(seconds / 60)} minutes.`,
    retryAfterSeconds: Math.min(seconds, retryAfterSecondsMax),
  });
}
