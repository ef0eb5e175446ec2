import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Json } from "../../../core/json.ts";
import { BodyTooLarge } from "../../../core/outbound.ts";
import { systemRandom } from "../../../core/random.ts";
import { Spool } from "../../../media/spool.ts";
import { HeldEvents } from "./events.ts";
import { HeldTexts, piecesOfHeld } from "./texts.ts";

let folder: string;
let spool: Spool;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sluice-events-"));
  spool = new Spool(folder);
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function eventsOf(pieces: readonly Uint8Array[], bytesMax = 10_000_000): HeldEvents {
  const left = [...pieces];
  return new HeldEvents({
    reply: { read: async () => ({ value: left.shift() }) },
    bytesMax,
    openHeld: () => new HeldTexts({ spool, random: systemRandom }),
  });
}

async function readAll(pieces: readonly Uint8Array[]): Promise<[string | null, Json][]> {
  const events = eventsOf(pieces);
  const all: [string | null, Json][] = [];
  for (let event = await events.next(); event; event = await events.next()) {
    all.push([event.name, event.json]);
    await event.held.drop();
  }
  await events.close();
  return all;
}

const stream = [
  ": keep-alive\n\n",
  'event: image_generation.partial_image\ndata: {"type":"image_generation.partial_image"}\n\n',
  'data:{"a":\r\ndata: 1}\r\nid: 7\r\n\r\n',
  "event: lonely\n\n",
  'event:   spaced  \rdata:  {"b" : "x: y"}\r\r',
  "data\n\n",
  "data: [DONE]\n\n",
  'data: {"never": "ended"}\n',
].join("");
const shown: [string | null, Json][] = [
  ["image_generation.partial_image", { type: "image_generation.partial_image" }],
  [null, { a: 1 }],
  ["spaced", { b: "x: y" }],
  [null, null],
];

describe("events with held texts", () => {
  test("are read alike, cut at any byte", async () => {
    const bytes = new TextEncoder().encode(stream);
    for (let at = 0; at <= bytes.length; at++) {
      expect(await readAll([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(shown);
    }
    expect(await readAll(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(shown);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("have their pictures in files of their own", async () => {
    const [one, other] = ["AAAA".repeat(50_000), "BBBB".repeat(50_000)];
    const text = [one, other]
      .map((b64_json) => `data: ${JSON.stringify({ b64_json })}\n\n`)
      .join("");
    const bytes = new TextEncoder().encode(text);
    const events = eventsOf([bytes.subarray(0, 250_000), bytes.subarray(250_000)]);
    for (const picture of [one, other]) {
      const event = await events.next();
      const word = event?.held.words[0] ?? "";
      expect(event?.json).toEqual({ b64_json: word });
      const held = event?.held.find(word);
      const pieces = [];
      if (held) for await (const piece of piecesOfHeld(held)) pieces.push(piece);
      expect(Buffer.concat(pieces).toString() === picture).toBe(true);
      await event?.held.drop();
    }
    expect(await events.next()).toBeNull();
    expect(readdirSync(folder)).toEqual([]);
  });

  test("that are broken off leave nothing behind", async () => {
    const events = eventsOf([
      new TextEncoder().encode(`data: {"b64_json":"${"A".repeat(200_000)}`),
    ]);
    expect(await events.next()).toBeNull();
    expect(readdirSync(folder).length).toBe(1);
    await events.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  test("past the limit are refused", async () => {
    const events = eventsOf([new TextEncoder().encode(`data: "${"A".repeat(2000)}"\n\n`)], 1000);
    const failure = await events.next().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(BodyTooLarge);
  });
});
