// Neutral shapes for the tests of every format, whole except for what a test is about.
import { noHints, noSampling, type Exchange } from "../exchange.ts";
import type { TextRequest } from "../format.ts";
import { openaiNames } from "./openai-exchange.ts";

/** A request of which nothing is known but its model. */
export const plainRequest: TextRequest = {
  model: "m",
  stream: false,
  framing: "events",
  choices: 1,
  outputTokensMax: null,
  mediaParts: 0,
  mediaBytes: 0,
  readsMore: false,
  wantsUsage: true,
  origins: { required: null, preferred: null },
};

/** Nothing is said but these fields. */
export function exchangeWith(fields: Partial<Exchange>): Exchange {
  return {
    model: "m",
    system: [],
    turns: [],
    tools: [],
    toolChoice: null,
    parallelCalls: null,
    shape: null,
    reasoning: null,
    outputTokensMax: null,
    choices: 1,
    stop: [],
    sampling: noSampling,
    hints: noHints,
    names: openaiNames({}),
    ignored: [],
    ...fields,
  };
}

/** By which name a request was refused; null where it was taken. */
export function refusedParam(decode: () => unknown): string | null {
  try {
    decode();
    return null;
  } catch (error) {
    return error instanceof Error && "param" in error ? String(error.param) : String(error);
  }
}
