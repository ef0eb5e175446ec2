// Gateways that end while tasks run: the next one goes on where they were.
import { expect, setDefaultTimeout, test } from "bun:test";
import { rmSync } from "node:fs";
import type { JsonObject } from "../../../src/core/json.ts";
import { balanceOf } from "../../harness/books.ts";
import { runCommand } from "../../harness/command.ts";
import { startGateway, temporaryFolder, type Gateway } from "../../harness/gateway.ts";
import { ScriptedArk } from "../../harness/scripted-ark.ts";
import {
  create,
  idOf,
  query,
  quickPolls,
  reaches,
  starts,
  startVideoVendors,
} from "../../harness/videos.ts";

setDefaultTimeout(30_000);

const grantMicros = 10_000_000;
const bodies: [JsonObject, number][] = [
  [{ model: "videoA_3_1", duration: 4 }, 1_600_000],
  [{ model: "videoB-2", seconds: "4" }, 400_000],
  [{ model: "videoC-2-0-260128", duration: 5 }, 450_000],
  [{ model: "videoD-h3", duration: 5 }, 300_000],
  [{ model: "videoE-v1", duration: 5 }, 350_000],
  [{ model: "omni-fast-v2v", video: "https://media.example/a.mp4", seconds: "4" }, 600_000],
];
const totalMicros = bodies.reduce((sum, [, micros]) => sum + micros, 0);

function ownFolder(): Disposable & { path: string } {
  const path = temporaryFolder();
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

async function expectBooks(gateway: Gateway, account: string, held: number, used: number) {
  expect(await balanceOf(gateway, account)).toMatchObject({
    quota_micros: grantMicros - held - used,
    held_micros: held,
    used_micros: used,
  });
}

for (const [how, end] of [
  ["killed", (gateway: Gateway) => gateway.kill()],
  ["stopped", async (gateway: Gateway) => void (await gateway.stop())],
] as const) {
  test(`Q2 D3 tasks of a gateway that was ${how} are completed by the next, and charged once`, async () => {
    using folder = ownFolder();
    await using vendors = startVideoVendors();
    const config = `${quickPolls}\n${vendors.config}`;
    const first = await startGateway({ config, folder: folder.path });
    const { id: account, key } = await first.customer(grantMicros);
    const prompt = "A fox sandbox:seconds=1.5";
    const replies = await Promise.all(
      bodies.map(([body]) => create(first, { ...body, prompt }, { key })),
    );
    const quick = { model: "videoD-h3", duration: 4, prompt: "A fox sandbox:seconds=0" };
    const early = idOf(await create(first, quick, { key }));
    const ended = await reaches(first, early, "completed", key);
    const failing = await create(first, { ...quick, prompt: `${prompt} sandbox:fail` }, { key });
    await expectBooks(first, account, totalMicros + 240_000, 240_000);
    await end(first);
    await using second = await startGateway({ config, folder: folder.path });
    for (const reply of replies) {
      const task = await reaches(second, idOf(reply), "completed", key);
      expect(task["model"]).toBe(reply.body["model"] ?? null);
      const content = await second.get(`/v1/videos/${idOf(reply)}/content`, key);
      expect(content.headers.get("content-type")).toBe("video/mp4");
    }
    await reaches(second, idOf(failing), "failed", key);
    await expectBooks(second, account, 0, totalMicros + 240_000);
    expect(starts(vendors)).toHaveLength(bodies.length + 2);
    // What had ended is as it was, but for the address of the gateway.
    const { body: kept } = await query(second, `/v1/videos/${early}`, { key });
    expect({ ...kept, video_url: "" }).toEqual({ ...ended, video_url: "" });
    expect((await fetch(String(kept["video_url"]))).status).toBe(200);
    const listed = await query(second, "/v1/videos", { key });
    expect(listed.body["data"]).toHaveLength(bodies.length + 2);
    const verified = await runCommand({ folder: folder.path }, "ledger", "verify");
    expect(verified.code).toBe(0);
  });
}

test("Q2 a gateway that dies while its vendor is answering neither loses nor repeats the job", async () => {
  using folder = ownFolder();
  await using ark = new ScriptedArk();
  const reached = Promise.withResolvers<void>();
  ark.start = () => {
    reached.resolve();
    return new Promise(() => {});
  };
  ark.list = () =>
    ark.starts().map(({ id, body }) => ({
      id: id ?? "",
      safety_identifier: body?.["safety_identifier"] ?? null,
    }));
  const config = `${quickPolls}\nchannels: ${JSON.stringify([ark.channel()])}`;
  const first = await startGateway({ config, folder: folder.path });
  const { id: account, key } = await first.customer(grantMicros);
  const body = { model: "manxue-2.0", prompt: "A fox", seconds: "5" };
  const lost = create(first, body, { key }).catch(() => null);
  await reached.promise;
  await first.kill();
  expect(await lost).toBeNull();
  await using second = await startGateway({ config, folder: folder.path });
  await expectBooks(second, account, 300_000, 0);
  const { body: listed } = await query(second, "/v1/videos", { key });
  const [task] = listed["data"] as JsonObject[];
  await reaches(second, String(task?.["id"]), "completed", key);
  await expectBooks(second, account, 0, 300_000);
  expect(ark.starts()).toHaveLength(1);
});
