// Watches a chat or legacy completions stream: usage, generated text, the end marker, errors.
import type { GatewayError } from "../core/errors.ts";
import { isObject, type JsonObject } from "../core/json.ts";
import { encodeEvent, type SseEvent } from "../core/sse.ts";
import type { Reply, Sighting, StreamObserver, TextRequest } from "./format.ts";
import { readOpenaiUsage } from "./openai-usage.ts";
import { estimateTokens, type Usage } from "./usage.ts";

const pass: Sighting = { kind: "pass" };
const hide: Sighting = { kind: "hide" };
const end: Sighting = { kind: "end" };

/** Roughly how many tokens one choice of a chunk carries. */
export type EstimateChoice = (choice: JsonObject) => number;

export class OpenaiStreamObserver implements StreamObserver {
  readonly #hidesUsage: boolean;
  readonly #estimateChoice: EstimateChoice;
  #usage: Usage | null = null;
  #outputTokens = 0;

  constructor(request: TextRequest, estimateChoice: EstimateChoice) {
    this.#hidesUsage = !request.wantsUsage;
    this.#estimateChoice = estimateChoice;
  }

  see(event: SseEvent): Sighting {
    if (event.data === "[DONE]") return end;
    const chunk = parseChunk(event.data);
    if (!chunk) return { kind: "fault", message: "an event of the stream is not JSON" };
    if (chunk["error"] !== undefined && chunk["error"] !== null) {
      return { kind: "fault", message: errorMessage(chunk["error"]) };
    }
    const choices = Array.isArray(chunk["choices"]) ? chunk["choices"] : [];
    for (const choice of choices) {
      if (isObject(choice)) this.#outputTokens += this.#estimateChoice(choice);
    }
    return isObject(chunk["usage"]) ? this.#seeUsage(chunk, choices.length) : pass;
  }

  reply(): Reply {
    return { usage: this.#usage, outputTokensEstimate: this.#outputTokens };
  }

  /** Vendors report cumulative usage, so the latest that can be read counts. */
  #seeUsage(chunk: JsonObject, choiceCount: number): Sighting {
    this.#usage = readOpenaiUsage(chunk["usage"]) ?? this.#usage;
    if (!this.#hidesUsage) return pass;
    if (choiceCount === 0) return hide;
    const { usage: _usage, ...shown } = chunk;
    return { kind: "replace", data: JSON.stringify(shown) };
  }
}

function parseChunk(data: string): JsonObject | null {
  try {
    const chunk: unknown = JSON.parse(data);
    return isObject(chunk) ? chunk : null;
  } catch {
    return null;
  }
}

function errorMessage(error: unknown): string {
  if (typeof error === "string") return error;
  if (isObject(error) && typeof error["message"] === "string") return error["message"];
  return "the upstream reported an error";
}

export function encodeOpenaiError(error: GatewayError): Uint8Array {
  const { message, type, param, shownCode: code } = error;
  return encodeEvent(JSON.stringify({ error: { message, type, param, code } }));
}

export function estimateText(value: unknown): number {
  return typeof value === "string" ? estimateTokens(value) : 0;
}
