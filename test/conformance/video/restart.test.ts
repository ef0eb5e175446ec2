// Gateways that end while tasks run: the next one goes on where they were.
import { expect, setDefaultTimeout, test } from "bun:test";
import { rmSync } from "node:fs";
import type { JsonObject } from "../../../src/core/json.ts";
import { balanceOf } from "../../harness/books.ts";
import { runCommand } from "../../harness/command.ts";
import {
  startGateway,
  startProcess,
  temporaryFolder,
  type Gateway,
} from "../../harness/gateway.ts";
import { ScriptedArk } from "../../harness/scripted-ark.ts";
import {
  create,
  idOf,
  query,
  quickPolls,
  reaches,
  slowPrompt,
  slowSeconds,
  starts,
  startVideoVendors,
} from "../../harness/videos.ts";

setDefaultTimeout(60_000);

const grantMicros = 10_000_000;
const bodies: [JsonObject, number][] = [
  [{ model: "videoA_3_1", duration: 4 }, 1_600_000],
  [{ model: "videoB-2", seconds: "4" }, 400_000],
  [{ model: "videoC-2-0-260128", duration: 5 }, 450_000],
  [{ model: "videoD-h3", duration: 5 }, 300_000],
  [{ model: "videoE-v1", duration: 5 }, 350_000],
  [{ model: "omni-fast-v2v", video: "https://media.example/a.mp4", seconds: "4" }, 600_000],
];
const quick = { model: "videoD-h3", duration: 4 };
const quickMicros = 240_000;
const hanging = { model: "manxue-2.0", seconds: "5" };
const hangingMicros = 300_000;
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

test("Q2 D3 tasks of a gateway that ended are completed by the next, and charged once", async () => {
  using folder = ownFolder();
  await using vendors = startVideoVendors();
  await using ark = new ScriptedArk();
  const config = withChannel(vendors.config, ark);
  const reached = Promise.withResolvers<void>();
  ark.start = () => {
    reached.resolve();
    return new Promise(() => {});
  };
  ark.show = () => ({ status: "running" });
  ark.list = () =>
    ark.starts().map(({ id, body }) => ({
      id: id ?? "",
      safety_identifier: body?.["safety_identifier"] ?? null,
    }));

  const first = await startProcess({ config, folder: folder.path });
  const { id: account, key } = await first.customer(grantMicros);
  const early = idOf(await create(first, { ...quick, prompt: "A fox sandbox:seconds=0" }, { key }));
  const ended = await reaches(first, early, "completed", key);
  const prompt = slowPrompt;
  const made = bodies.map(([body]) => create(first, { ...body, prompt }, { key }));
  const replies = await Promise.all(made);
  const failing = await create(first, { ...quick, prompt: `${prompt} sandbox:fail` }, { key });
  const lost = create(first, { ...hanging, prompt }, { key }).catch(() => null);
  await reached.promise;
  await expectBooks(first, account, totalMicros + quickMicros + hangingMicros, quickMicros);
  await first.kill();
  expect(await lost).toBeNull();

  const second = await startProcess({ config, folder: folder.path });
  await expectBooks(second, account, totalMicros + quickMicros + hangingMicros, quickMicros);
  await second.stop();
  vendors.clock.pass(slowSeconds);
  ark.show = () => ark.done();

  await using third = await startGateway({ config, folder: folder.path });
  for (const reply of replies) {
    const task = await reaches(third, idOf(reply), "completed", key);
    expect(task["model"]).toBe(reply.body["model"] ?? null);
    const content = await third.get(`/v1/videos/${idOf(reply)}/content`, key);
    expect(content.headers.get("content-type")).toBe("video/mp4");
  }
  await reaches(third, idOf(failing), "failed", key);
  // The job whose answer nobody heard is found, and was sent no second time.
  const { body: listed } = await query(third, "/v1/videos", { key });
  const tasks = listed["data"] as JsonObject[];
  expect(tasks).toHaveLength(bodies.length + 3);
  expect(tasks[0]?.["model"]).toBe(hanging.model);
  await reaches(third, String(tasks[0]?.["id"]), "completed", key);
  expect([starts(vendors).length, ark.starts().length]).toEqual([bodies.length + 2, 1]);
  await expectBooks(third, account, 0, totalMicros + quickMicros + hangingMicros);

  // An ended task is as it was, but for the address of the gateway.
  const { body: kept } = await query(third, `/v1/videos/${early}`, { key });
  expect({ ...kept, video_url: "" }).toEqual({ ...ended, video_url: "" });
  expect((await fetch(String(kept["video_url"]))).status).toBe(200);
  const verified = await runCommand({ folder: folder.path }, "ledger", "verify");
  expect(verified.code).toBe(0);
});

/** The vendors and one that is asked before them for one model. */
function withChannel(config: string, ark: ScriptedArk): string {
  const channel = ark.channel({ models: [hanging.model], priority: 9 });
  return `${quickPolls}\n${config.replace("[", `[${JSON.stringify(channel)},`)}`;
}
