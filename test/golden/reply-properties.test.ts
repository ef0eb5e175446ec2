// Any reply, streamed in any order, cut anywhere: whatever wire it comes over, every client is told
// all of it, in a stream that keeps the laws of the client's own wire.
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Dialect, Reply, ReplyChoice, StopReason } from "../../src/formats/exchange.ts";
import { expectTold } from "./expected.ts";
import { clients, clientSide, frameOf, sharedDialects, type ClientName } from "./matrix.ts";
import { replyOf, streamOf } from "./random-reply.ts";
import { askOf, conversionOf, convertStream } from "./scenes.ts";
import { readers } from "./wire/index.ts";

const encoder = new TextEncoder();
const runs = 60;
const single: ReadonlySet<ClientName> = new Set(["responses", "messages"]);

for (const dialect of sharedDialects) {
  for (const client of clients) {
    const choicesMax = single.has(dialect) || single.has(client) ? 1 : 2;

    test(`any stream of ${dialect} reaches a client of ${client} whole`, () => {
      fc.assert(
        fc.property(
          replyOf(dialect, choicesMax),
          fc.array(fc.nat(99), { minLength: 1, maxLength: 60 }),
          fc.array(fc.nat(4000), { maxLength: 6 }),
          (reply, dice, cuts) => {
            const bytes = encoder.encode(vendorStream(dialect, reply, dice));
            const conversion = conversionOf(dialect, client, "");
            const told = readers[client](convertStream(conversion, cutAt(bytes, cuts)));
            const read = asRead(reply, dialect);
            expectTold(told, read, client);
            expect(told.choices.map(({ finish }) => finish)).toEqual(
              read.choices.map((choice) => finishOf(choice, client)),
            );
          },
        ),
        { numRuns: runs },
      );
    });
  }
}

/** The stream as an upstream of the dialect would send it. */
function vendorStream(dialect: Dialect, reply: Reply, dice: readonly number[]): string {
  const writer = clientSide(dialect).encodeStream(frameOf(dialect, askOf(dialect, "")));
  return streamOf(reply, dice)
    .map((part) => writer.push(part))
    .join("");
}

function* cutAt(bytes: Uint8Array, cuts: readonly number[]): Iterable<Uint8Array> {
  const places = cuts.map((cut) => cut % (bytes.length + 1)).toSorted((one, other) => one - other);
  let from = 0;
  for (const place of [...places, bytes.length]) {
    yield bytes.subarray(from, place);
    from = place;
  }
}

/**
 * Facts that a dialect has no word for are lost, or said in other words, before anybody reads them.
 */
function asRead({ id, choices, usage }: Reply, dialect: Dialect): Reply {
  const hasRefusals = dialect === "chat" || dialect === "responses";
  const counted = usage && dialect === "content" ? { ...usage, cacheWriteTokens: 0 } : usage;
  const searched = choices.map((choice) => withSearches(choice, dialect));
  return { id, usage: counted, choices: hasRefusals ? searched : searched.map(asSaid) };
}

/** Chat has no word for a search, and Google tells of all of them at once. */
function withSearches(choice: ReplyChoice, dialect: Dialect): ReplyChoice {
  if (dialect !== "chat" && dialect !== "content") return choice;
  const parts = choice.parts.filter(({ kind }) => kind !== "search");
  const searches = choice.parts.filter((part) => part.kind === "search");
  if (dialect === "chat" || searches.length === 0) return { ...choice, parts };
  const queries = [...new Set(searches.flatMap((search) => search.queries))];
  const found = searches.flatMap((search) => search.found);
  return { ...choice, parts: [...parts, { kind: "search", queries, found, fault: null }] };
}

/** A refusal is a text and an end of its own kind. */
function asSaid(choice: ReplyChoice): ReplyChoice {
  const [only] = choice.parts;
  if (only?.kind !== "refusal") return choice;
  return { ...choice, parts: [{ kind: "text", text: only.text }], stop: "filter" };
}

const finishes: Readonly<Record<ClientName, Partial<Record<StopReason, string>>>> = {
  chat: { stop: "stop", calls: "tool_calls", length: "length", filter: "content_filter" },
  completions: { stop: "stop", calls: "stop", length: "length", filter: "content_filter" },
  responses: {
    stop: "completed",
    calls: "completed",
    length: "max_output_tokens",
    filter: "content_filter",
  },
  messages: { stop: "end_turn", calls: "tool_use", length: "max_tokens", filter: "refusal" },
  content: { stop: "STOP", calls: "STOP", length: "MAX_TOKENS", filter: "SAFETY" },
};

function finishOf({ parts, stop }: ReplyChoice, client: ClientName): string {
  const isRefused = parts.some(({ kind }) => kind === "refusal");
  const tellsByEnd = client === "messages" || client === "content";
  return finishes[client][isRefused && tellsByEnd ? "filter" : stop] ?? "";
}
