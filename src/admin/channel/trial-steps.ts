// Steps of a channel's test, told as it happens.
import type { Clock } from "../../core/clock.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Send } from "../../core/outbound.ts";
import { encodeEvent } from "../../core/sse.ts";
import type { ByteSource } from "../../gateway/answer.ts";
import type { TrialStepName } from "./contract.ts";

/** Told of each step. */
export type Tell = (step: TrialStepName, facts?: JsonObject) => void;

/** Tells of each call where it goes, when somebody is there, and when an answer begins. */
export function telling(send: Send, tell: Tell): Send {
  return async (request) => {
    const { origin, pathname } = new URL(request.url);
    tell("resolved", { method: request.method, url: origin + pathname });
    const granted = () => tell("granted");
    const connected = () => tell("connected");
    // A connection that is there already would say nothing of whether one can be had.
    const reply = await send({ ...request, isFresh: true, granted, connected });
    tell("answered", { status: reply.status });
    return reply;
  };
}

/** The steps as server-sent events, each with the milliseconds since the first. */
export class TrialSteps implements ByteSource {
  readonly #clock: Clock;
  readonly #startedAtMs: number;
  #isGranted = false;
  #waiting: Uint8Array[] = [];
  #ready: (() => void) | null = null;
  #isOver = false;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#startedAtMs = clock.monotonicMs();
  }

  tell(step: TrialStepName, facts: JsonObject = {}): void {
    // A key is exchanged once for the list and the call.
    if (this.#isOver || (step === "granted" && this.#isGranted)) return;
    this.#isGranted ||= step === "granted";
    const ms = Math.round(this.#clock.monotonicMs() - this.#startedAtMs);
    this.#waiting.push(encodeEvent(JSON.stringify({ step, ms, ...facts }), step));
    if (step === "done" || step === "failed") this.#isOver = true;
    this.#wake();
  }

  take(ready: () => void): Uint8Array | null | undefined {
    const next = this.#waiting.shift();
    if (next) return next;
    if (this.#isOver) return null;
    this.#ready = ready;
    return undefined;
  }

  cancel(): void {
    this.#waiting = [];
    this.interrupt();
  }

  interrupt(): void {
    this.#isOver = true;
    this.#wake();
  }

  #wake(): void {
    const ready = this.#ready;
    this.#ready = null;
    ready?.();
  }
}
