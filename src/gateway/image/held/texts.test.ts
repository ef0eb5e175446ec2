import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isObject, type Json } from "../../../core/json.ts";
import { BodyTooLarge } from "../../../core/outbound.ts";
import { systemRandom } from "../../../core/random.ts";
import { Spool } from "../../../media/spool.ts";
import { headOfHeld, HeldTexts, piecesOfHeld } from "./texts.ts";

const bytesMax = 10_000_000;
let folder: string;
let held: HeldTexts;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sluice-held-"));
  held = new HeldTexts({ spool: new Spool(folder), random: systemRandom });
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A reply in pieces of this many bytes. */
function replyOf(body: string | Uint8Array, together: number, then?: () => Promise<never>) {
  const bytes = Buffer.from(body);
  const reply = { at: 0, isCancelled: false, read, cancel };
  function cancel() {
    reply.isCancelled = true;
  }
  async function read() {
    if (reply.at >= bytes.length) return then ? await then() : {};
    const value = new Uint8Array(bytes.subarray(reply.at, (reply.at += together)));
    return { value };
  }
  return reply;
}

async function textOf(json: Json, ...path: (string | number)[]): Promise<string> {
  let at: Json | undefined = json;
  for (const step of path) {
    at = Array.isArray(at) ? at[Number(step)] : isObject(at) ? at[step] : undefined;
  }
  const text = held.find(String(at));
  if (!text) throw new Error(`${String(at)} stands for nothing`);
  const pieces = [];
  for await (const piece of piecesOfHeld(text)) pieces.push(piece);
  expect(Buffer.concat(pieces).length).toBe(text.bytes);
  return Buffer.concat(pieces).toString("utf8");
}

describe("held texts", () => {
  test("are in files, and a word stands for each in the JSON", async () => {
    const [one, other] = ["iVBO/".repeat(100_000), "UklG".repeat(90_000)];
    const body = JSON.stringify({ data: [{ b64_json: one }, { b64_json: other }], n: "short" });
    const json = await held.read(replyOf(body.replaceAll("/", "\\/"), 30_000), bytesMax);
    expect(json).toEqual({
      data: [{ b64_json: expect.any(String) }, { b64_json: expect.any(String) }],
      n: "short",
    });
    expect(JSON.stringify(json).length).toBeLessThan(200);
    expect(await textOf(json, "data", 0, "b64_json")).toBe(one);
    expect(await textOf(json, "data", 1, "b64_json")).toBe(other);
    expect(held.words.map((word) => held.find(word)?.isBase64)).toEqual([true, true]);
    expect(held.find("short")).toBeNull();
    expect(readdirSync(folder).length).toBe(2);
    await held.drop();
    expect(readdirSync(folder)).toEqual([]);
  });

  test("are told from base64 by their letters", async () => {
    const json = await held.read(replyOf(JSON.stringify(["é ".repeat(50_000)]), 999), bytesMax);
    expect(await textOf(json, 0)).toBe("é ".repeat(50_000));
    expect(held.find(held.words[0] ?? "")?.isBase64).toBe(false);
  });

  test("may be made here", async () => {
    const word = await held.hold([Buffer.from("aGVs"), Buffer.from("bG8=")]);
    expect(await textOf([word], 0)).toBe("aGVsbG8=");
    const text = held.find(word);
    expect(text && Buffer.from(await headOfHeld(text, 5)).toString()).toBe("aGVsb");
  });

  test("of what is no JSON are gone with the rest", async () => {
    const reply = replyOf(`{"a":"${"A".repeat(200_000)}" oops`, 50_000);
    expect(await held.read(reply, bytesMax)).toBeNull();
    expect(reply.isCancelled).toBe(true);
    await held.drop();
    expect(readdirSync(folder)).toEqual([]);
  });

  test("past the limit are not read to their end", async () => {
    const reply = replyOf(`["${"A".repeat(500_000)}"]`, 50_000);
    const failure = await held.read(reply, 200_000).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(BodyTooLarge);
    expect(reply.isCancelled).toBe(true);
    expect(reply.at).toBeLessThan(300_000);
    await held.drop();
    expect(readdirSync(folder)).toEqual([]);
  });

  test("of a reply that breaks off are removed as well", async () => {
    const broken = replyOf(`["${"A".repeat(300_000)}`, 100_000, async () => {
      throw new Error("ECONNRESET");
    });
    const failure = await held.read(broken, bytesMax).catch((error: unknown) => error);
    expect(failure).toEqual(new Error("ECONNRESET"));
    expect(readdirSync(folder).length).toBe(1);
    await held.drop();
    expect(readdirSync(folder)).toEqual([]);
  });

  test("that are dropped while they are read leave nothing behind", async () => {
    const asked = Promise.withResolvers<void>();
    const late = Promise.withResolvers<never>();
    const body = `["${"A".repeat(100_000)}","${"B".repeat(100_000)}`;
    const reply = replyOf(body, 100_010, () => {
      asked.resolve();
      return late.promise;
    });
    const reading = held.read(reply, bytesMax).catch((error: unknown) => error);
    await asked.promise;
    expect(readdirSync(folder).length).toBe(2);
    await held.drop();
    late.reject(new Error("gone"));
    expect(await reading).toEqual(new Error("gone"));
    expect(readdirSync(folder)).toEqual([]);
    const more = replyOf(`["${"A".repeat(100_000)}"]`, 50_000);
    expect(await held.read(more, bytesMax).catch(() => "refused")).toBe("refused");
    expect(readdirSync(folder)).toEqual([]);
  });
});
