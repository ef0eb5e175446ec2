// The way to Redis or Valkey. A call that fails, or takes longer than nobody would notice, takes
// the link down at once: whoever needs it goes on without it, and it is tried again behind them.
import { sleep, type Timers } from "../../core/clock.ts";

interface RedisWire {
  connect(): Promise<unknown>;
  send(command: string, values: string[]): Promise<unknown>;
  close(): void;
}

export interface RedisLinkNeeds {
  open(): RedisWire;
  timers: Timers;
  /** After what has already come in was read. */
  soon(run: () => void): void;
  /** Told of each change, with what went wrong. */
  changed(isUp: boolean, error: unknown): void;
  /** Time that a call may take; one that every request waits for is given little. */
  callMsMax: number;
}

const connectMsMax = 500;
const retryMs = 250;
const probeKey = "sluice:probe";

export class RedisLink {
  readonly #needs: RedisLinkNeeds;
  readonly #digests = new Map<string, string>();
  #wire: RedisWire | null = null;
  #isClosed = false;
  #epoch = 0;
  #calls = 0;
  #losses = 0;

  constructor(needs: RedisLinkNeeds) {
    this.#needs = needs;
  }

  get isUp(): boolean {
    return this.#wire !== null;
  }

  /** Another one after every loss and every return. */
  get epoch(): number {
    return this.#epoch;
  }

  get calls(): number {
    return this.#calls;
  }

  get losses(): number {
    return this.#losses;
  }

  /** Resolves when the first try has ended, well or not; from then on it goes on by itself. */
  async open(): Promise<void> {
    const error = await this.#connect();
    if (error === null) return;
    this.#needs.changed(false, error);
    void this.#comeBack();
  }

  close(): void {
    this.#isClosed = true;
    this.#wire?.close();
    this.#wire = null;
  }

  /** Throws while the link is down, and takes it down when it fails. */
  async call(command: string, values: string[]): Promise<unknown> {
    const wire = this.#wire;
    if (wire === null) throw new Error("the link to Redis is down");
    this.#calls += 1;
    try {
      return await this.#within(this.#needs.callMsMax, wire.send(command, values));
    } catch (error) {
      this.#lose(wire, error);
      throw error;
    }
  }

  async run(script: string, key: string, values: string[]): Promise<unknown> {
    const known = this.#digests.get(script);
    if (known !== undefined) return await this.call("EVALSHA", [known, "1", key, ...values]);
    const digest = String(await this.call("SCRIPT", ["LOAD", script]));
    this.#digests.set(script, digest);
    return await this.call("EVALSHA", [digest, "1", key, ...values]);
  }

  /** For whoever cannot make sense of an answer. */
  fail(error: unknown): void {
    if (this.#wire) this.#lose(this.#wire, error);
  }

  #lose(wire: RedisWire, error: unknown): void {
    if (this.#wire !== wire) return;
    this.#wire = null;
    this.#losses += 1;
    this.#epoch += 1;
    this.#digests.clear();
    wire.close();
    if (this.#isClosed) return;
    this.#needs.changed(false, error);
    void this.#comeBack();
  }

  async #comeBack(): Promise<void> {
    while (!this.#isClosed && this.#wire === null) {
      await sleep(this.#needs.timers, retryMs);
      await this.#connect();
    }
  }

  /** Null when it is up: a store that takes no writes is as good as none. */
  async #connect(): Promise<unknown> {
    const wire = this.#needs.open();
    try {
      await this.#within(connectMsMax, wire.connect());
      await this.#within(connectMsMax, wire.send("SET", [probeKey, "1", "PX", "1000"]));
    } catch (error) {
      wire.close();
      return error ?? new Error("no link");
    }
    if (this.#isClosed) {
      wire.close();
      return null;
    }
    this.#wire = wire;
    this.#epoch += 1;
    this.#needs.changed(true, null);
    return null;
  }

  #within(limitMs: number, work: Promise<unknown>): Promise<unknown> {
    const { timers, soon } = this.#needs;
    return new Promise((resolve, reject) => {
      // A thread that was busy itself finds the answer there when it looks once more.
      const late = () => soon(() => reject(new Error(`no answer within ${limitMs} ms`)));
      const stop = timers.after(limitMs, () => soon(late));
      work.then(resolve, reject).finally(stop);
    });
  }
}
