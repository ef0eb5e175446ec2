// Tells the operator which credentials are refused and why: a few lines a minute, however many
// somebody tries, and a count of all of them.
import type { Clock } from "../core/clock.ts";
import type { GatewayError } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import { RefusedCredential } from "../identity/refused-credential.ts";
import type { Counter, Family } from "../observe/instruments.ts";
import type { ClientCall } from "./client/client-call.ts";

interface RefusedCredentialsNeeds {
  clock: Clock;
  log: Log;
  /** Refusals by cause. */
  counter: Family<Counter>;
}

const periodMs = 60_000;
const linesMax = 60;

export class RefusedCredentials {
  readonly #needs: RefusedCredentialsNeeds;
  #periodEndsAtMs = 0;
  #lines = 0;
  #unwritten = 0;

  constructor(needs: RefusedCredentialsNeeds) {
    this.#needs = needs;
  }

  note({ cause }: GatewayError, call: ClientCall): void {
    if (!(cause instanceof RefusedCredential)) return;
    const { log, counter } = this.#needs;
    counter.with(cause.because).add();
    if (!this.#mayWrite()) return;
    log.info("a credential was refused", {
      request: call.scope.requestId,
      cause: cause.because,
      ...(cause.keyId !== null && { key: cause.keyId }),
      ip: call.ip,
      method: call.method,
      path: call.path,
    });
  }

  #mayWrite(): boolean {
    const nowMs = this.#needs.clock.monotonicMs();
    if (nowMs >= this.#periodEndsAtMs) {
      const { log } = this.#needs;
      if (this.#unwritten > 0) {
        log.info("more credentials were refused than were written down", {
          refused: this.#unwritten,
        });
      }
      this.#periodEndsAtMs = nowMs + periodMs;
      this.#lines = 0;
      this.#unwritten = 0;
    }
    const isRoom = this.#lines < linesMax;
    if (isRoom) this.#lines++;
    else this.#unwritten++;
    return isRoom;
  }
}
