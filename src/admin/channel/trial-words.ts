// Words for what a test's question brought: the answer, and how much of it the vendor counted.
import type { Deadlines } from "../../core/deadline.ts";
import { joinBytes } from "../../core/sse.ts";
import { chat } from "../../formats/chat/index.ts";
import type { Usage } from "../../formats/usage.ts";
import { firstOf, noBytes, type Piece } from "../../gateway/stream/pump.ts";
import type { ServedText, ServedTextStream } from "../../gateway/text/judge-text.ts";
import { readReplyTexts } from "../../gateway/text/meter/texts.ts";

interface Told {
  bytes: Uint8Array;
  usage: Usage | null;
  isWhole: boolean;
}

const replyCharactersShown = 60;
/** For what follows the first token: a test has no need of more. */
const restMsMax = 5_000;

export async function tellServed(served: ServedText, deadlines: Deadlines): Promise<string> {
  const { bytes, usage, isWhole } =
    served.kind === "stream"
      ? await readStream(served, deadlines)
      : { bytes: served.bytes, usage: served.observed.usage, isWhole: true };
  const { whole, streamed } = readReplyTexts(chat, bytes);
  const words = [...whole, streamed].join(" ").replace(/\s+/g, " ").trim();
  const answer = words === "" ? "It answered without text" : `It answered "${shorten(words)}"`;
  if (!isWhole) return `${answer} and did not end.`;
  if (!usage) return `${answer} and told no usage, so tokens are counted here.`;
  return `${answer} with ${usage.inputTokens} tokens in and ${usage.outputTokens} out.`;
}

async function readStream(
  { pump, first, abort }: ServedTextStream,
  deadlines: Deadlines,
): Promise<Told> {
  const watch = deadlines.watch(restMsMax, () => abort.abort());
  const pieces: Uint8Array[] = [];
  let piece: Piece = first;
  try {
    while (piece.kind === "bytes") {
      pieces.push(piece.bytes);
      piece = await firstOf(pump);
    }
  } catch {
    piece = { kind: "cut" };
  } finally {
    watch.end();
    abort.abort();
  }
  pieces.push("bytes" in piece ? piece.bytes : noBytes);
  const { usage } = pump.observed();
  await pump.close?.();
  return { bytes: joinBytes(pieces), usage, isWhole: piece.kind === "end" };
}

function shorten(words: string): string {
  const isLong = words.length > replyCharactersShown;
  return isLong ? `${words.slice(0, replyCharactersShown)}…` : words;
}
