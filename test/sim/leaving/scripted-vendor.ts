// A vendor of chat that plays a scene by the simulation's clock, and knows what it really used.
import type { Timers } from "../../../src/core/clock.ts";
import type { JsonObject } from "../../../src/core/json.ts";
import { taken } from "../../../src/core/later.ts";
import {
  OutboundFailed,
  type Chunk,
  type OutboundReply,
  type Send,
} from "../../../src/core/outbound.ts";
import { word, type Scene } from "./scene.ts";

const lieTokens = 90_000_000;

interface VendorNeeds {
  scene: Scene;
  timers: Timers;
}

export class ScriptedVendor {
  readonly #needs: VendorNeeds;
  readonly #chunks: Chunk[] = [];
  #ready: () => void = () => {};
  #isClosed = false;
  #usedTokens = 0;
  #isDone = false;

  constructor(needs: VendorNeeds) {
    this.#needs = needs;
  }

  /** Tokens that it charges for, all told. */
  get usedTokens(): number {
    return this.#usedTokens;
  }

  /** It was heard to its end. */
  get isDone(): boolean {
    return this.#isDone;
  }

  readonly send: Send = async ({ signal }) => {
    const { stream } = this.#needs.scene;
    signal.addEventListener("abort", { handleEvent: () => this.#close() });
    this.#play();
    const reply: OutboundReply = {
      status: 200,
      headers: new Headers(),
      mediaType: stream ? "text/event-stream" : "application/json",
      bytes: async () => await this.#whole(),
      read: () => taken((ready) => this.#take(ready)),
      take: (ready) => this.#take(ready),
      cancel: () => this.#close(),
    };
    return reply;
  };

  #play(): void {
    const { scene, timers } = this.#needs;
    const { wordsAtMs, endsAtMs, inputTokens, hiddenTokens } = scene;
    this.#usedTokens = inputTokens + hiddenTokens;
    for (const atMs of wordsAtMs) {
      timers.after(atMs, () => {
        if (this.#isClosed) return;
        this.#usedTokens++;
        if (scene.stream) this.#say(chunkOf({ content: word }));
      });
    }
    timers.after(endsAtMs, () => {
      if (this.#isClosed) return;
      this.#isDone = true;
      if (scene.stream) this.#say(chunkOf({}, "stop") + this.#usageEvent() + "data: [DONE]\n\n");
      else this.#say(JSON.stringify(this.#reply()));
      this.#chunks.push({});
    });
  }

  #usage(): JsonObject | null {
    const { tells, inputTokens } = this.#needs.scene;
    if (tells === "nothing") return null;
    const output = this.#usedTokens - inputTokens;
    return tells === "truth"
      ? { prompt_tokens: inputTokens, completion_tokens: output }
      : { prompt_tokens: lieTokens, completion_tokens: lieTokens };
  }

  #usageEvent(): string {
    const usage = this.#usage();
    return usage ? `data: ${JSON.stringify({ choices: [], usage })}\n\n` : "";
  }

  #reply(): JsonObject {
    const content = word.repeat(this.#needs.scene.wordsAtMs.length);
    const message = { role: "assistant", content };
    return {
      id: "1",
      choices: [{ index: 0, message, finish_reason: "stop" }],
      usage: this.#usage(),
    };
  }

  async #whole(): Promise<Uint8Array> {
    const { value } = await taken((ready) => this.#take(ready));
    return value ?? new Uint8Array();
  }

  #say(text: string): void {
    this.#chunks.push({ value: Buffer.from(text) });
    this.#ready();
  }

  #take(ready: () => void): Chunk | undefined {
    this.#ready = ready;
    const chunk = this.#chunks.shift();
    if (chunk) return chunk;
    if (this.#isClosed) throw new OutboundFailed("AbortError");
    return undefined;
  }

  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#ready();
  }
}

function chunkOf(delta: JsonObject, finish: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return `data: ${JSON.stringify({ id: "1", choices })}\n\n`;
}
