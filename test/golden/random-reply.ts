// Replies as a model might make them, and the streams that they could come in.
import fc from "fast-check";
import type {
  UpstreamDialect,
  Reply,
  ReplyChoice,
  ReplyPart,
  StopReason,
} from "../../src/formats/exchange.ts";
import type { BlockContent, StreamPart } from "../../src/formats/stream-part.ts";
import type { Usage } from "../../src/formats/usage.ts";

const text = fc.string({ minLength: 1, maxLength: 12, unit: "grapheme" });
const count = fc.nat(5000);

const usage = fc
  .tuple(count, count, count, count, count)
  .map(([plain, cacheReadTokens, cacheWriteTokens, said, reasoningTokens]): Usage => ({
    inputTokens: plain + cacheReadTokens + cacheWriteTokens,
    outputTokens: said + reasoningTokens,
    cacheReadTokens,
    cacheWriteTokens,
    reasoningTokens,
  }));

const json = fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 1 }), {
  maxKeys: 3,
});

const page = fc.record({
  url: fc.webUrl(),
  title: fc.option(text),
  age: fc.constant(null),
});

/** Parts of one kind, made for a vendor of a dialect. */
function partOf(dialect: UpstreamDialect): fc.Arbitrary<ReplyPart> {
  const data = fc.base64String({ minLength: 4, maxLength: 12 });
  const proof = dialect === "chat" ? fc.constant("") : data;
  return fc.oneof(
    fc.record({ kind: fc.constant("text"), text }),
    fc.record({
      kind: fc.constant("reasoning"),
      text,
      proof: fc.option(proof.map((made) => ({ dialect, data: made }))),
      isRedacted: fc.constant(false),
    }),
    fc.record({
      kind: fc.constant("call"),
      id: fc.constant(""),
      name: fc.stringMatching(/^[a-z]{1,6}$/),
      input: json.map((value) => JSON.stringify(value)),
      isCustom: fc.constant(false),
    }),
    fc.record({
      kind: fc.constant("search"),
      queries: fc.array(text, { minLength: 1, maxLength: 2 }),
      found: fc.array(page, { maxLength: 2 }),
      fault: fc.constant(null),
    }),
  );
}

function choiceOf(dialect: UpstreamDialect): fc.Arbitrary<ReplyChoice> {
  // Without a reason of its own an answer of nothing but searches is none.
  const stops = (usual: StopReason, isEmpty: boolean) =>
    fc.constantFrom<StopReason>(...(isEmpty ? [] : [usual, usual]), "length", "filter");
  const said = fc.array(partOf(dialect), { maxLength: 6 }).chain((parts) =>
    stops(
      usualStop(parts),
      parts.every(({ kind }) => kind === "search"),
    ).map((stop) => ({
      parts,
      stop,
      stopSequence: null,
    })),
  );
  const refused = text.map((words): ReplyChoice => ({
    parts: [{ kind: "refusal", text: words }],
    stop: "stop",
    stopSequence: null,
  }));
  return fc.oneof({ weight: 6, arbitrary: said }, { weight: 1, arbitrary: refused });
}

function usualStop(parts: readonly ReplyPart[]): StopReason {
  return parts.some(({ kind }) => kind === "call") ? "calls" : "stop";
}

export function replyOf(dialect: UpstreamDialect, choicesMax: number): fc.Arbitrary<Reply> {
  const choices = fc.array(choiceOf(dialect), { minLength: 1, maxLength: choicesMax });
  return fc.record({ id: fc.constant("reply_1"), choices: choices.map(withIds), usage });
}

/** No two calls of a reply have the same id. */
function withIds(choices: readonly ReplyChoice[]): ReplyChoice[] {
  let calls = 0;
  return choices.map((choice) => ({
    ...choice,
    parts: choice.parts.map((part) =>
      part.kind === "call" ? { ...part, id: `call_${calls++}` } : part,
    ),
  }));
}

interface Block {
  choice: number;
  kind: ReplyPart["kind"];
  pieces: StreamPart[];
}

/** Blocks begin in their order and go on side by side as the dice fall. */
export function streamOf(reply: Reply, dice: readonly number[]): StreamPart[] {
  let rolls = 0;
  const roll = (sides: number) => (dice[rolls++ % dice.length] ?? 0) % sides;
  const waiting = reply.choices.flatMap(({ parts }, choice) =>
    parts.map((part) => ({ choice, part })),
  );
  const going: Block[] = [];
  const parts: StreamPart[] = [{ kind: "reply-start", id: reply.id }];
  for (let blocks = 0; waiting.length > 0 || going.length > 0;) {
    const [next] = waiting;
    const isFree = next && !going.some((block) => isInTheWay(block, next));
    if (isFree && (going.length === 0 || roll(3) === 0)) {
      waiting.shift();
      const block = blocks++;
      const { choice, part } = next;
      parts.push({ kind: "block-start", block, choice, content: contentOf(part) });
      going.push({ choice, kind: part.kind, pieces: piecesOf(part, block, roll) });
    }
    const block = going[roll(going.length)];
    const piece = block?.pieces.shift();
    if (piece) parts.push(piece);
    if (block?.pieces.length === 0) going.splice(going.indexOf(block), 1);
  }
  for (const [choice, { stop, stopSequence }] of reply.choices.entries()) {
    parts.push({ kind: "choice-end", choice, stop, stopSequence });
  }
  if (reply.usage) parts.push({ kind: "usage", usage: reply.usage });
  return [...parts, { kind: "reply-end" }];
}

/** Texts of one kind follow one another on every wire; only calls are made side by side. */
function isInTheWay(block: Block, next: { choice: number; part: ReplyPart }): boolean {
  const { kind } = next.part;
  return kind !== "call" && block.kind === kind && block.choice === next.choice;
}

function piecesOf(part: ReplyPart, block: number, roll: (sides: number) => number): StreamPart[] {
  if (part.kind === "media" || part.kind === "search") return [{ kind: "block-end", block }];
  const whole = part.kind === "call" ? part.input : part.text;
  const pieces: StreamPart[] = [];
  for (let from = 0; from < whole.length;) {
    const length = 1 + roll(4);
    pieces.push({ kind: "block-delta", block, text: whole.slice(from, from + length) });
    from += length;
  }
  if ("proof" in part && part.proof) pieces.push({ kind: "block-proof", block, proof: part.proof });
  return [...pieces, { kind: "block-end", block }];
}

function contentOf(part: ReplyPart): BlockContent {
  switch (part.kind) {
    case "reasoning":
      return { kind: part.kind, isRedacted: part.isRedacted };
    case "call":
      return { kind: part.kind, id: part.id, name: part.name, isCustom: part.isCustom };
    case "media":
      return { kind: part.kind, part };
    case "search":
      return { kind: part.kind, part };
    default:
      return { kind: part.kind };
  }
}
