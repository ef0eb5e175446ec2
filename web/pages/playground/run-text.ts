// One question to every model that was chosen, all at once, and the results of tools to the one
// that asked for them.
import { signal } from "@preact/signals";
import { ApiError } from "../../core/api.ts";
import { askStream, rowOf } from "../../core/ask.ts";
import { withPiece, type PlacedCall } from "../../core/text/events.ts";
import type { Call, TextFormat } from "../../core/text/formats.ts";
import { textCallOf } from "./calls.ts";
import {
  newFacts,
  pictures,
  running,
  settings,
  turns,
  type Reply,
  type ReplyFacts,
  type Strand,
} from "./state.ts";
import { keepTalk } from "./talks.ts";

/** More of an answer than this is not kept word for word. */
const rawMax = 200_000;

export async function askAll(models: readonly string[], question: string): Promise<void> {
  const past = turns.value;
  const shown = pictures.value;
  pictures.value = [];
  const strands = models.map((model): Strand => ({ model, replies: signal([newReply()]) }));
  const turn = { question, pictures: shown, strands };
  turns.value = [...past, turn];
  await run(strands, (strand) => textCallOf(settings.value, strand.model, [...past, turn]));
}

/** Goes on after the results of a model's calls, which stand in its last reply. */
export async function answerCalls(strand: Strand): Promise<void> {
  const call = () => textCallOf(settings.value, strand.model, turns.value);
  strand.replies.value = [...strand.replies.value, newReply()];
  await run([strand], call);
}

async function run(strands: readonly Strand[], callOf: (strand: Strand) => Call): Promise<void> {
  const { format } = settings.value;
  const abort = new AbortController();
  running.value = abort;
  void keepTalk();
  await Promise.all(
    strands.map(async (strand) => {
      const reply = strand.replies.peek().at(-1);
      if (reply) await answer(reply, { call: callOf(strand), format, stop: abort.signal });
    }),
  );
  if (running.value === abort) running.value = null;
  await keepTalk();
}

function newReply(): Reply {
  return {
    text: signal(""),
    raw: signal(""),
    calls: signal([]),
    pictures: signal([]),
    results: signal({}),
    facts: signal(newFacts),
  };
}

interface Asking {
  call: Call;
  format: TextFormat;
  stop: AbortSignal;
}

async function answer(reply: Reply, { call, format, stop }: Asking): Promise<void> {
  const began = performance.now();
  const note = (more: Partial<ReplyFacts>) =>
    (reply.facts.value = { ...reply.facts.peek(), ...more });
  let placed: readonly PlacedCall[] = [];
  try {
    await askStream(call, {
      format,
      signal: stop,
      onAnswer: ({ status, requestId }) => note({ status, requestId }),
      onRaw: (piece) => (reply.raw.value = (reply.raw.peek() + piece).slice(0, rawMax)),
      onPiece({ text, calls, pictures: made }) {
        const isFirst = reply.facts.peek().firstMs === null;
        const hasSome = text !== "" || calls.length > 0 || made.length > 0;
        if (isFirst && hasSome) note({ firstMs: performance.now() - began });
        if (text !== "") reply.text.value += text;
        if (made.length > 0) reply.pictures.value = [...reply.pictures.peek(), ...made];
        if (calls.length === 0) return;
        placed = calls.reduce(withPiece, placed);
        reply.calls.value = placed.map(({ place: _place, ...one }) => one);
      },
    });
  } catch (error) {
    if (!stop.aborted) note({ error: asRefusal(error) });
  }
  note({ state: stop.aborted ? "stopped" : "over", totalMs: performance.now() - began });
  const { requestId } = reply.facts.peek();
  if (requestId === null) return;
  // Stop is for the answers: the last ones are waited for, their rows are not.
  void rowOf(requestId).then(
    (row) => {
      note({ row });
      return keepTalk();
    },
    () => {},
  );
}

export function asRefusal(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new ApiError({ message, code: null, param: null }, null);
}
