// Against the little S3 of the tests, or where SLUICE_TEST_S3_URL names one, a real server.
import { expect, test } from "bun:test";
import { writeFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { Folder } from "../../test/harness/folder.ts";
import { openS3, type S3Place } from "../../test/harness/s3-host.ts";
import type { TaskId } from "../core/ids.ts";
import { S3Requests } from "./requests.ts";
import { S3Storage } from "./s3.ts";

function open({ rules }: S3Place) {
  return new S3Storage(rules);
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
  await using host = openS3();
  const storage = open(host);
  for (const size of [1000, 20 * 1024 * 1024]) {
    const bytes = new Uint8Array(size).map((_, at) => at % 251);
    await store(storage, idOf("a"), bytes);
    expect(await host.names()).toEqual([`${host.rules.prefix}${idOf("a")}`]);
    const file = await storage.open(idOf("a"));
    expect(file?.bytes).toBe(size);
    expect(Buffer.from(await read(file?.part(0, size))).equals(bytes)).toBe(true);
    expect(await read(file?.part(10, 20))).toEqual(bytes.slice(10, 20));
  }
});

test("what is removed, or never was, is not there", async () => {
  await using host = openS3();
  const storage = open(host);
  await store(storage, idOf("a"), new Uint8Array(10));
  await storage.remove(idOf("a"));
  await storage.remove(idOf("a"));
  expect(await storage.open(idOf("a"))).toBeNull();
  expect(await host.names()).toEqual([]);
});

test("everything kept is listed, over several pages, and nothing else", async () => {
  await using host = openS3();
  const storage = open(host);
  const ids = ["a", "b", "c", "d", "e"].map(idOf);
  for (const id of ids) await store(storage, id, new Uint8Array(7));
  await host.put(`${host.rules.prefix}notes.txt`);
  await host.put(`elsewhere/${idOf("f")}`);
  const listed = await Array.fromAsync(storage.list());
  expect(listed).toEqual(ids.map((id) => ({ id, bytes: 7 })));
});

test("a store that refuses is an error, not an absence", async () => {
  await using host = openS3();
  const storage = new S3Storage({ ...host.rules, ...host.wrongKey });
  await expect(storage.open(idOf("a"))).rejects.toThrow();
  await expect(store(storage, idOf("a"), new Uint8Array(10))).rejects.toThrow();
});

test("what a task asks for is kept under its id, and goes by its age", async () => {
  await using host = openS3();
  const requests = new S3Requests(host.rules);
  const [old, fresh] = ["task_01h00000000000000000000000", "task_01k00000000000000000000000"];
  for (const id of [old, fresh]) await requests.put(id as TaskId, `{"of":"${id}"}`);
  expect(await requests.read(old as TaskId)).toBe(`{"of":"${old}"}`);
  await requests.expire(Date.UTC(2024, 0, 1));
  expect(await requests.read(old as TaskId)).toBeNull();
  expect(await requests.read(fresh as TaskId)).toBe(`{"of":"${fresh}"}`);
  await requests.remove(fresh as TaskId);
  await requests.remove(fresh as TaskId);
  expect(await requests.read(fresh as TaskId)).toBeNull();
});

test("an upload that fails in the midst publishes nothing", async () => {
  await using host = openS3();
  const storage = open(host);
  await expect(storage.put(idOf("a"), "/nowhere/at/all", "video/mp4")).rejects.toThrow();
  expect(await storage.open(idOf("a"))).toBeNull();
});
