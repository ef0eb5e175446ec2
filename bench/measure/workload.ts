// Requests of the bench, the same bytes for every target. Words in the prompt steer the mock
// vendor.
import type { LoadPlan } from "../load-plan.ts";
import { clientWires, type ClientWire } from "./client-wires.ts";

/** The models, by the wire of the vendor that has them. */
export const models = {
  chat: "bench-model",
  messages: "bench-messages",
  content: "bench-content",
  /** The model of a vendor that knows when it was asked. */
  reach: "bench-reach",
} as const;

/** One request, as it is sent over and over. */
export type Ask = Pick<LoadPlan, "path" | "body" | "isStream" | "streamEnd">;

interface AskOptions {
  readonly wire: ClientWire;
  readonly model: string;
  readonly isStream: boolean;
  /** A word that the mock vendor looks for. */
  readonly steer?: string;
}

const system = "You are a patient teacher. Answer briefly and in plain words.";
const question =
  "Explain in a few plain sentences how a lock on a canal lifts a boat from one level to the " +
  "next, what the gates and the sluices do, and why no pump is needed.";

export function renderAsk({ wire, model, isStream, steer }: AskOptions): Ask {
  const { path, streamEnd } = wire;
  const prompt = steer === undefined ? question : `${question} ${steer}`;
  const body = JSON.stringify(wire.render({ model, system, prompt, isStream }));
  return { path, body, isStream, streamEnd };
}

const usual = { wire: clientWires.chat, model: models.chat };
export const requestAsk = renderAsk({ ...usual, isStream: false });
export const streamAsk = renderAsk({ ...usual, isStream: true });
/** One chunk, sent at once: thousands of samples a second for the time to the first byte. */
export const shortStreamAsk = renderAsk({ ...usual, isStream: true, steer: "bench:short" });
/** A chunk a second for a minute. */
export const slowStreamAsk = renderAsk({ ...usual, isStream: true, steer: "bench:slow" });
