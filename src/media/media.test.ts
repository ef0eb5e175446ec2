import { expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock, systemTimers } from "../core/clock.ts";
import { Deadlines } from "../core/deadline.ts";
import { createIds } from "../core/ids.ts";
import { send } from "../core/wire/send.ts";
import { systemRandom } from "../core/random.ts";
import { FetchFailed } from "./fetch.ts";
import { NotMedia } from "./media.ts";
import { openMedia } from "./open-media.ts";
import { wav } from "../../test/harness/media-samples.ts";

const rules = {
  s3: null,
  sharedFolder: null,
  publicUrl: null,
  linkTtlSeconds: 3600,
  retentionDays: 1,
  bytesMax: null,
  fileBytesMax: 1_000_000,
  fetchTimeoutMs: 5000,
  allowedPorts: [],
  privateHosts: [],
};

function open(changes: Partial<typeof rules> | { bytesMax: number } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "sluice-media-"));
  const deadlines = new Deadlines(systemClock, systemTimers);
  let aheadMs = 0;
  const clock = { ...systemClock, nowMs: () => systemClock.nowMs() + aheadMs };
  const media = openMedia({
    config: { dataFolder: folder, media: { ...rules, ...changes } },
    secret: "test",
    baseUrl: () => "http://gateway.test",
    clock,
    deadlines,
    ids: createIds(clock, systemRandom),
    send,
  });
  return {
    ...media,
    passes: (ms: number) => void (aheadMs += ms),
    files: () => readdirSync(join(folder, "media"), { recursive: true }).toSorted(),
    [Symbol.dispose]() {
      deadlines.close();
      rmSync(folder, { recursive: true });
    },
  };
}

const bytesOf = async (part: Blob | ReadableStream<Uint8Array> | undefined) =>
  new Uint8Array(await new Response(part).arrayBuffer());

test("what a vendor sent as text is kept byte for byte, with its type and length", async () => {
  using media = open();
  const bytes = wav(2.5);
  const base64 = Buffer.from(bytes).toString("base64");
  const kept = await media.store.keep({ kind: "bytes", base64 });
  expect(kept).toMatchObject({ bytes: bytes.length, type: "audio/wav", seconds: 2.5 });
  expect(kept.mediaId).toMatch(/^media_[0-9a-z]{26}\.wav$/);
  const found = await media.store.open(kept.mediaId);
  expect(found).toMatchObject({ bytes: bytes.length, type: "audio/wav" });
  expect(await bytesOf(found?.part(0, bytes.length))).toEqual(bytes);
  expect(await bytesOf(found?.part(4, 8))).toEqual(bytes.subarray(4, 8));
  await media.store.remove(kept.mediaId);
  expect(await media.store.open(kept.mediaId)).toBeNull();
  expect(media.files()).toEqual(["arriving"]);
});

test("a page or a drawing is not kept, and nothing of it stays", async () => {
  using media = open();
  for (const text of ["<html><script>1</script></html>", "<svg xmlns=''/>", "PK\x03\x04"]) {
    const base64 = Buffer.from(text.padEnd(100)).toString("base64");
    await expect(media.store.keep({ kind: "bytes", base64 })).rejects.toBeInstanceOf(NotMedia);
  }
  const large = Buffer.from(wav(1, 2_000_000)).toString("base64");
  const refused = media.store.keep({ kind: "bytes", base64: large });
  await expect(refused).rejects.toBeInstanceOf(FetchFailed);
  expect(media.files()).toEqual(["arriving"]);
});

test("a vendor's file is fetched with its headers where its channel is private, else refused", async () => {
  using media = open();
  const bytes = wav(1);
  await using vendor = Bun.serve({
    port: 0,
    fetch: ({ headers }) =>
      headers.get("x-key") === "one" ? new Response(bytes) : new Response("no", { status: 401 }),
  });
  const url = `http://127.0.0.1:${vendor.port}/file`;
  const source = { kind: "url", url, headers: { "x-key": "one" } } as const;
  expect(await media.store.keep(source, { allowPrivate: true })).toMatchObject({ seconds: 1 });
  const message = "The address could not be fetched.";
  await expect(media.store.keep(source)).rejects.toThrow(message);
  const other = media.store.keep({ ...source, headers: {} }, { allowPrivate: true });
  await expect(other).rejects.toThrow(message);
});

test("what is old goes, and the oldest of what is too much", async () => {
  using media = open({ bytesMax: wav(1).length * 2 });
  const base64 = Buffer.from(wav(1)).toString("base64");
  const ids: string[] = [];
  for (let count = 0; count < 3; count++) {
    ids.push((await media.store.keep({ kind: "bytes", base64 })).mediaId);
    media.passes(1000);
  }
  await media.expire();
  expect(media.files()).toEqual(["arriving", ...ids.slice(1)]);
  media.passes(86_400_000 - 1500);
  await media.expire();
  expect(media.files()).toEqual(["arriving", ...ids.slice(2)]);
});

test("a link is good for its id until it expires", () => {
  using media = open();
  const id = "media_0123456789abcdefghjkmnpqrs.mp4";
  const url = new URL(media.store.link(id));
  expect(url.origin + url.pathname).toBe(`http://gateway.test/media/${id}`);
  const expires = url.searchParams.get("expires") ?? "";
  const signature = url.searchParams.get("signature") ?? "";
  const left = media.links.secondsLeft(id, expires, signature) ?? 0;
  expect(left).toBeGreaterThanOrEqual(3600);
  expect(media.store.link(id)).toBe(url.href);
  const later = String(Number(expires) + 1);
  expect(media.links.secondsLeft(id, later, signature)).toBeNull();
  expect(media.links.secondsLeft(id.replace("0", "1"), expires, signature)).toBeNull();
  expect(media.links.secondsLeft(id, expires, `${signature}x`)).toBeNull();
  expect(media.links.secondsLeft(id, expires, "")).toBeNull();
  media.passes(left * 1000);
  expect(media.links.secondsLeft(id, expires, signature)).toBeNull();
});

test("an id is never a way to another file", async () => {
  using media = open();
  for (const id of ["../secret", "media_x/../../secret", "arriving", "media_0.mp4", ""]) {
    expect(await media.store.open(id)).toBeNull();
    await media.store.remove(id);
  }
});
