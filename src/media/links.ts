// Pre-signed links to kept media: an HMAC over the id and the moment they expire, so nothing is
// looked up to check one.
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Clock } from "../core/clock.ts";

interface LinkRules {
  /** The secret of the installation; links have a key of their own that is made from it. */
  secret: string;
  /** The address that clients reach the gateway under, where the operator has said it. */
  publicUrl?: string | null;
  /** Otherwise, and where nobody has called: that of this machine. */
  baseUrl(): string;
  ttlSeconds: number;
  clock: Clock;
}

export class MediaLinks {
  readonly #rules: LinkRules;
  readonly #key: Buffer;

  constructor(rules: LinkRules) {
    this.#rules = rules;
    this.#key = createHmac("sha256", rules.secret).update("sluice media links").digest();
  }

  sign(id: string, expiresAtSeconds: number, address: string | null = null): string {
    const query = `expires=${expiresAtSeconds}&signature=${this.#signature(id, expiresAtSeconds)}`;
    const { publicUrl = null, baseUrl } = this.#rules;
    return `${publicUrl ?? address ?? baseUrl()}/media/${id}?${query}`;
  }

  /** Lives at least as long as links do; asked again soon, it is the same text. */
  link(id: string, address: string | null = null): string {
    const { ttlSeconds, clock } = this.#rules;
    const step = Math.max(1, Math.floor(ttlSeconds / 4));
    const leastSeconds = clock.nowMs() / 1000 + ttlSeconds;
    return this.sign(id, Math.ceil(leastSeconds / step) * step, address);
  }

  /** The seconds it still lives, or null when it is expired or not signed by us. */
  secondsLeft(id: string, expires: string, signature: string): number | null {
    if (!/^\d{1,12}$/.test(expires)) return null;
    const expected = Buffer.from(this.#signature(id, Number(expires)));
    const actual = Buffer.from(signature);
    if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return null;
    const left = Number(expires) - Math.floor(this.#rules.clock.nowMs() / 1000);
    return left > 0 ? left : null;
  }

  #signature(id: string, expiresAtSeconds: number): string {
    return createHmac("sha256", this.#key).update(`${id}\n${expiresAtSeconds}`).digest("base64url");
  }
}
