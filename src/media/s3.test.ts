import { expect, test } from "bun:test";
import { writeFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { Folder } from "../../test/harness/folder.ts";
import { startS3 } from "../../test/harness/s3-host.ts";
import { S3Storage } from "./s3.ts";

function open(endpoint: string, accessKeyId = "id") {
  const rules = { endpoint, region: "auto", bucket: "results", prefix: "sluice/" };
  return new S3Storage({ ...rules, accessKeyId, secretAccessKey: "secret" });
}

const idOf = (letter: string) => `media_01h000000000000000000000z${letter}.mp4`;

async function store(storage: S3Storage, id: string, bytes: Uint8Array): Promise<void> {
  using folder = new Folder();
  const path = join(folder.path, "file");
  writeFileSync(path, bytes);
  await storage.put(id, path, "video/mp4");
  expect(existsSync(path)).toBe(false);
}

async function read(part: Blob | ReadableStream<Uint8Array> | undefined): Promise<Uint8Array> {
  return new Uint8Array(await new Response(part).arrayBuffer());
}

test("a file goes to the bucket and comes back, whole and in part", async () => {
  await using host = startS3("results");
  const storage = open(host.url);
  for (const size of [1000, 20 * 1024 * 1024]) {
    const bytes = new Uint8Array(size).map((_, at) => at % 251);
    await store(storage, idOf("a"), bytes);
    expect([...host.files.keys()]).toEqual([`sluice/${idOf("a")}`]);
    const file = await storage.open(idOf("a"));
    expect(file?.bytes).toBe(size);
    expect(Buffer.from(await read(file?.part(0, size))).equals(bytes)).toBe(true);
    expect(await read(file?.part(10, 20))).toEqual(bytes.slice(10, 20));
  }
});

test("what is removed, or never was, is not there", async () => {
  await using host = startS3("results");
  const storage = open(host.url);
  await store(storage, idOf("a"), new Uint8Array(10));
  await storage.remove(idOf("a"));
  await storage.remove(idOf("a"));
  expect(await storage.open(idOf("a"))).toBeNull();
  expect(host.files.size).toBe(0);
});

test("everything kept is listed, over several pages, and nothing else", async () => {
  await using host = startS3("results");
  const storage = open(host.url);
  const ids = ["a", "b", "c", "d", "e"].map(idOf);
  for (const id of ids) await store(storage, id, new Uint8Array(7));
  host.files.set("sluice/notes.txt", new Uint8Array(1));
  host.files.set(`elsewhere/${idOf("f")}`, new Uint8Array(1));
  const listed = await Array.fromAsync(storage.list());
  expect(listed).toEqual(ids.map((id) => ({ id, bytes: 7 })));
});

test("a store that refuses is an error, not an absence", async () => {
  await using host = startS3("results");
  await expect(open(host.url, "wrong").open(idOf("a"))).rejects.toThrow();
  await expect(store(open(host.url, "wrong"), idOf("a"), new Uint8Array(10))).rejects.toThrow();
});
