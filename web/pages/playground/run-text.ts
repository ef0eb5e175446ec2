// One question to every model that was chosen, all at once.
import { signal } from "@preact/signals";
import { ApiError } from "../../core/api.ts";
import { askStream, rowOf } from "../../core/ask.ts";
import type { TextFormat } from "../../core/text-formats.ts";
import { textCallOf } from "./calls.ts";
import {
  newFacts,
  pictures,
  running,
  settings,
  turns,
  type Reply,
  type ReplyFacts,
} from "./state.ts";

/** More of an answer than this is not kept word for word. */
const rawMax = 200_000;

export async function askAll(models: readonly string[], question: string): Promise<void> {
  const past = turns.value;
  const { format } = settings.value;
  const shown = pictures.value;
  pictures.value = [];
  const replies = models.map((model): Reply => ({
    model,
    call: textCallOf(settings.value, { model, prompt: question, pictures: shown }, past),
    text: signal(""),
    raw: signal(""),
    facts: signal(newFacts),
  }));
  const abort = new AbortController();
  turns.value = [...past, { question, pictures: shown, replies }];
  running.value = abort;
  await Promise.all(replies.map((reply) => answer(reply, format, abort.signal)));
  if (running.value === abort) running.value = null;
}

async function answer(reply: Reply, format: TextFormat, stop: AbortSignal): Promise<void> {
  const began = performance.now();
  const note = (more: Partial<ReplyFacts>) =>
    (reply.facts.value = { ...reply.facts.peek(), ...more });
  try {
    await askStream(reply.call, {
      format,
      signal: stop,
      onAnswer: ({ status, requestId }) => note({ status, requestId }),
      onRaw: (piece) => (reply.raw.value = (reply.raw.peek() + piece).slice(0, rawMax)),
      onText(piece) {
        if (reply.text.peek() === "") note({ firstMs: performance.now() - began });
        reply.text.value += piece;
      },
    });
  } catch (error) {
    if (!stop.aborted) note({ error: asRefusal(error) });
  }
  const state = stop.aborted ? "stopped" : "over";
  note({ state, totalMs: performance.now() - began });
  const { requestId } = reply.facts.peek();
  // Stop is for the answers: the last ones are waited for, their rows are not.
  if (requestId !== null)
    void rowOf(requestId).then(
      (row) => note({ row }),
      () => {},
    );
}

export function asRefusal(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new ApiError({ message, code: null, param: null }, null);
}
