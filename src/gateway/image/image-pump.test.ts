import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemRandom } from "../../core/random.ts";
import { Spool } from "../../media/spool.ts";
import { firstOf } from "../stream/pump.ts";
import { HeldEvents } from "./held/events.ts";
import { HeldTexts } from "./held/texts.ts";
import { ImagePump } from "./image-pump.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sluice-pump-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("nothing may be put into an event before its last line was taken, which waits for the settlement", async () => {
  const spool = new Spool(folder);
  const left = ["partial_image", "completed"].map((name) =>
    new TextEncoder().encode(`data: {"type":"image_generation.${name}","b64_json":"AAAA"}\n\n`),
  );
  const events = new HeldEvents({
    reply: { read: async () => ({ value: left.shift() }) },
    bytesMax: 10_000,
    openHeld: () => new HeldTexts({ spool, random: systemRandom }),
  });
  const pump = new ImagePump({
    events,
    job: { kind: "generate", count: 1 },
    tell: { client: (text) => text, operator: (text) => text },
  });
  const seen: [text: string, isWhole: boolean][] = [];
  expect(pump.isWhole).toBe(true);
  for (;;) {
    const piece = await firstOf(pump);
    if (piece.kind === "cut") throw new Error("the stream was cut");
    seen.push([new TextDecoder().decode(piece.bytes), pump.isWhole]);
    if (piece.kind === "end") break;
  }
  await pump.close();
  const part = (name: string): [string, boolean][] => [
    [`event: image_generation.${name}\ndata: `, false],
    [`{"type":"image_generation.${name}","b64_json":"AAAA"}`, false],
  ];
  expect(seen).toEqual([
    ...part("partial_image"),
    ["\n\n", true],
    ...part("completed"),
    ["\n\n", false],
  ]);
});
