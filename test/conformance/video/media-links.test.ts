// Kept media over HTTP, by its signed link.
import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../../src/core/clock.ts";
import { MediaLinks } from "../../../src/media/links.ts";
import { startGateway } from "../../harness/gateway.ts";
import { wav } from "../../harness/media-samples.ts";

const secret = "a secret of the test, as long as asked";
const id = "media_01h000000000000000000000zz.mp4";
const bytes = wav(20);

async function start() {
  const gateway = await startGateway({ environment: { SLUICE_SECRET: secret } });
  mkdirSync(join(gateway.folder, "media"), { recursive: true });
  writeFileSync(join(gateway.folder, "media", id), bytes);
  const baseUrl = () => gateway.url;
  const links = new MediaLinks({ secret, baseUrl, ttlSeconds: 60, clock: systemClock });
  return { gateway, url: links.link(id), links };
}

test("V-Q2 hazard G15 a link gives the whole file, its head, or the range that was asked for", async () => {
  const { gateway, url } = await start();
  await using _ = gateway;
  const whole = await fetch(url);
  expect(whole.status).toBe(200);
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    "content-type": "video/mp4",
    "content-length": String(bytes.length),
    "accept-ranges": "bytes",
    "content-disposition": "inline",
    "x-content-type-options": "nosniff",
    etag: `"${id}"`,
    "content-security-policy": expect.stringContaining("sandbox"),
    // A browser that opens a video alone asks twice, and once across origins.
    vary: "origin",
  });
  expect(whole.headers.get("cache-control")).toMatch(/^private, max-age=\d+, immutable$/);
  expect(await whole.bytes()).toEqual(bytes);
  const head = await fetch(url, { method: "HEAD" });
  expect(head.headers.get("content-length")).toBe(String(bytes.length));
  expect(await head.text()).toBe("");
  const ranges: [string, number, number][] = [
    ["bytes=0-0", 0, 1],
    ["bytes=100-199", 100, 200],
    ["bytes=100-", 100, bytes.length],
    ["bytes=-100", bytes.length - 100, bytes.length],
    [`bytes=5-${bytes.length * 2}`, 5, bytes.length],
  ];
  for (const [range, from, to] of ranges) {
    const part = await fetch(url, { headers: { range } });
    expect([range, part.status]).toEqual([range, 206]);
    expect(part.headers.get("content-range")).toBe(`bytes ${from}-${to - 1}/${bytes.length}`);
    expect(part.headers.get("content-length")).toBe(String(to - from));
    expect(await part.bytes()).toEqual(bytes.slice(from, to));
  }
  const beyond = await fetch(url, { headers: { range: `bytes=${bytes.length}-` } });
  expect(beyond.status).toBe(416);
  expect(beyond.headers.get("content-range")).toBe(`bytes */${bytes.length}`);
  for (const range of ["bytes=0-1,5-6", "lines=1-2", "bytes=9-1"]) {
    const all = await fetch(url, { headers: { range } });
    expect([range, all.status, (await all.bytes()).length]).toEqual([range, 200, bytes.length]);
  }
  const changed = await fetch(url, { headers: { range: "bytes=0-1", "if-range": '"other"' } });
  expect(changed.status).toBe(200);
  const same = await fetch(url, { headers: { "if-none-match": `"${id}"` } });
  expect(same.status).toBe(304);
});

test("a link that is changed, expired, or leads to nothing is refused", async () => {
  const { gateway, url, links } = await start();
  await using _ = gateway;
  const nowSeconds = Math.floor(Date.now() / 1000);
  const forbidden = [
    `${gateway.url}/media/${id}`,
    url.replace(/.$/, (last) => (last === "A" ? "B" : "A")),
    url.replace("expires=", "expires=1"),
    links.sign(id, nowSeconds - 1),
    links.sign("secret", nowSeconds + 60).replace("/secret", `/${id}`),
  ];
  for (const address of forbidden) {
    const refused = await fetch(address);
    expect([address, refused.status]).toEqual([address, 403]);
    expect(await refused.json()).toMatchObject({ error: { type: "invalid_request_error" } });
  }
  expect((await fetch(links.sign("secret", nowSeconds + 60))).status).toBe(404);
  const gone = "media_01h000000000000000000000yy.mp4";
  expect((await fetch(links.sign(gone, nowSeconds + 60))).status).toBe(404);
});
