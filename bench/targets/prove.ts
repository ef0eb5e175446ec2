// A target that answers quickly but wrongly would win every table, so each shows first, with one
// request and one stream, that it answers in full.
import type { ClientWire } from "../measure/client-wires.ts";
import { renderAsk, type Ask } from "../measure/workload.ts";
import type { Target } from "./target.ts";

const wordsExpected = 60;

export async function prove(
  target: Target,
  { wire, model }: { wire: ClientWire; model: string },
): Promise<void> {
  const reply = await post(target, renderAsk({ wire, model, isStream: false }));
  const words = count(reply, "word ");
  if (words !== wordsExpected) throw new Error(`${target.name} answered ${words} of 60 words`);
  if (!reply.includes(wire.usage)) throw new Error(`${target.name} answered no usage`);
  const stream = await post(target, renderAsk({ wire, model, isStream: true }));
  const streamed = count(stream, wire.streamedWord);
  if (streamed !== wordsExpected)
    throw new Error(`${target.name} streamed ${streamed} of 60 words`);
  if (!stream.includes(wire.usage) || !stream.includes(wire.streamEnd))
    throw new Error(`${target.name} streamed no usage or no end`);
}

function count(text: string, piece: string): number {
  return text.split(piece).length - 1;
}

async function post(target: Target, { path, body }: Ask): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${target.port}${path}`, {
    method: "POST",
    headers: { ...target.headers, "content-type": "application/json" },
    body,
    signal: AbortSignal.timeout(10_000),
  });
  const text = await response.text();
  if (response.status === 200) return text;
  throw new Error(`${target.name} answered ${response.status}: ${text.slice(0, 300)}`);
}
