// A stream's ending must not depend on where networks cut it either: passed through or converted,
// with bare JSON behind it, or without its end marker.
import { describe, expect, test } from "bun:test";
import { readEvents } from "../../src/core/sse.ts";
import type { UpstreamDialect } from "../../src/formats/exchange.ts";
import { formats } from "../../src/formats/index.ts";
import { ConvertPump } from "../../src/gateway/text/pump/convert-pump.ts";
import { EventPump } from "../../src/gateway/text/pump/event-pump.ts";
import { noTally } from "../../src/gateway/text/meter/tally.ts";
import type { TextPump } from "../../src/gateway/text/pump/text-pump.ts";
import type { EventSource } from "../../src/gateway/text/unframe.ts";
import { dialects, frameOf, type ClientName } from "./matrix.ts";
import { askOf, conversionOf, scenes } from "./scenes.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function sourceOf(pieces: readonly Uint8Array[]): EventSource {
  const waiting = [...pieces];
  return { take: () => ({ value: waiting.shift() }) };
}

function pumpOf(
  dialect: UpstreamDialect,
  client: ClientName,
  pieces: readonly Uint8Array[],
): TextPump {
  const asItIs = (text: string) => text;
  const tell = { client: asItIs, operator: asItIs };
  const needs = { source: sourceOf(pieces), tally: noTally, tell };
  if (dialect !== client) {
    return new ConvertPump({ ...needs, stream: conversionOf(dialect, client, "").convertStream() });
  }
  const { request } = frameOf(client, askOf(client, ""));
  const observer = formats[dialect].observe(request);
  return new EventPump({ ...needs, observer, request });
}

/** Everything that the client is sent, and how it ended. */
function play(dialect: UpstreamDialect, client: ClientName, pieces: readonly Uint8Array[]): object {
  const pump = pumpOf(dialect, client, pieces);
  let text = "";
  for (;;) {
    const piece = pump.next(() => {});
    if (!piece) throw new Error("nothing comes any more");
    if (piece.kind !== "cut") text += decoder.decode(piece.bytes);
    if (piece.kind === "bytes") continue;
    const { isEmpty = false } = pump.observed();
    // Comments and line ends are as the blocks are that they came in.
    const sent = { events: readEvents(text), isEmpty };
    if (piece.kind !== "fault") return { ...sent, end: piece.kind };
    return { ...sent, end: piece.message, shown: piece.shown ?? null };
  }
}

function everyCut(dialect: UpstreamDialect, client: ClientName, text: string): object {
  const bytes = encoder.encode(text);
  const uncut = play(dialect, client, [bytes]);
  for (let place = 1; place < bytes.length; place++) {
    const pieces = [bytes.subarray(0, place), bytes.subarray(place)];
    expect(play(dialect, client, pieces), `cut at ${place}`).toEqual(uncut);
  }
  return uncut;
}

const sceneOf = (dialect: UpstreamDialect, scene: string) => scenes[dialect].streams[scene] ?? "";
const eventsIn = (stream: string) => stream.split(/(?<=\n\n)/).filter((event) => event !== "");

describe.each([...dialects])("a stream of %s", (dialect) => {
  const own: ClientName = dialect === "converse" ? "chat" : dialect;
  const clients = [own, dialect === "messages" ? "chat" : "messages"] as const;

  test("X-U26 with bare JSON behind it is its vendor's error", () => {
    const begun = eventsIn(sceneOf(dialect, "text")).slice(0, dialect === "content" ? 1 : 5);
    const told = { error: { message: "Slow down.", code: 429, type: "rate_limit_error" } };
    for (const client of clients) {
      for (const end of ["", "\n\n"]) {
        const text = `${begun.join("")}${JSON.stringify(told)}${end}`;
        expect(everyCut(dialect, client, text)).toMatchObject({
          end: "Slow down.",
          shown: { upstreamStatus: 429, type: "rate_limit_error", code: "429" },
        });
      }
    }
  });

  test("X-U28 of nothing ends in a fault, and shows nothing of an end", () => {
    for (const client of clients) {
      const bytes = [encoder.encode(sceneOf(dialect, "nothing"))];
      expect(play(dialect, client, bytes)).toMatchObject({
        events: [],
        end: "The upstream's answer is empty.",
        isEmpty: true,
      });
    }
  });
});

test.each(["chat", "messages"] as const)(
  "X-U29 a chat stream for %s may lack its marker, wherever it is cut",
  (client) => {
    const whole = sceneOf("chat", "text");
    const bare = whole.replace("data: [DONE]\n\n", "");
    expect(everyCut("chat", client, bare)).toEqual(play("chat", client, [encoder.encode(whole)]));
  },
);
