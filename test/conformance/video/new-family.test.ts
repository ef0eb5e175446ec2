// A family is one folder and one line of the registry: a copy of the program gets a new one, and
// serves it on every route, priced and charged like the others.
import { expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock, systemTimers } from "../../../src/core/clock.ts";
import { startSandbox } from "../../../sandbox/server.ts";
import { balanceOf } from "../../harness/books.ts";
import { Folder } from "../../harness/folder.ts";
import { startGateway } from "../../harness/gateway.ts";
import { create, idOf, prompt, query, quickPolls, reaches } from "../../harness/videos.ts";

setDefaultTimeout(60_000);

const repository = join(import.meta.dir, "..", "..", "..");

const files = {
  "index.ts": `
    import type { VideoFamily } from "../family.ts";
    import { renderTask } from "../kit/render.ts";
    import { fromUnified } from "../kit/unified.ts";
    import { units } from "./meter.ts";
    import { models } from "./models.ts";
    import { fields, parse } from "./request.ts";

    export const videoX: VideoFamily = {
      name: "video-x",
      models: [...models.keys()],
      envelope: "a",
      parse,
      fields,
      unified: (body) => fromUnified(body),
      units,
      render: renderTask,
    };`,
  "models.ts": `
    export const models: ReadonlyMap<string, string> = new Map([
      ["videoX-1", "videoX-1"],
      ["maker-x-1", "videoX-1"],
    ]);`,
  "request.ts": `
    import type { JsonObject } from "../../core/json.ts";
    import type { FamilyField } from "../field.ts";
    import { readPrompt, readWhole } from "../kit/fields.ts";
    import { seconds as length } from "../kit/form.ts";
    import { findModel, newJob } from "../kit/job.ts";
    import type { VideoJob } from "../video-job.ts";
    import { models } from "./models.ts";

    const range = { min: 2, max: 6 };

    export function parse(body: JsonObject): VideoJob {
      const seconds = readWhole(body, ["seconds"], range) ?? 3;
      return newJob({ model: findModel(body, models), prompt: readPrompt(body), seconds });
    }

    export function fields(): FamilyField[] {
      return [length(range, 3)];
    }`,
  "meter.ts": `
    import { unitsOf } from "../kit/meter.ts";
    import type { VideoJob, VideoUnits } from "../video-job.ts";

    export function units(job: VideoJob): VideoUnits {
      return unitsOf(job, 6);
    }`,
};

/** The entry of a copy of the program with one more family. */
function programWithVideoX(folder: string): string {
  for (const part of ["src", "sandbox"]) {
    cpSync(join(repository, part), join(folder, part), { recursive: true });
  }
  symlinkSync(join(repository, "node_modules"), join(folder, "node_modules"));
  const families = join(folder, "src", "families");
  mkdirSync(join(families, "video-x"));
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(families, "video-x", name), text);
  }
  const registry = join(families, "index.ts");
  const before = readFileSync(registry, "utf8");
  const list = /(const videoFamilies\b[^=]*= \[\n)/;
  expect(before).toMatch(list);
  const imported = 'import { videoX } from "./video-x/index.ts";\n';
  writeFileSync(registry, imported + before.replace(list, "$1  videoX,\n"));
  return join(folder, "src", "main.ts");
}

/** It reaches one maker by the wire of videos, and another one with the body as it is. */
function configure(vendors: string): string {
  const channel = (name: string, type: string, model: string) => ({
    name,
    type,
    base_url: `${vendors}/${type}`,
    key: `sk-${name}`,
    models: [model],
    allow_private: true,
  });
  const channels = [channel("one", "gateway", "videoX-1"), channel("two", "openai", "maker-x-1")];
  return `${quickPolls}
channels: ${JSON.stringify(channels)}
prices: [{ model: videoX-1, second_micros: 7000 }]
`;
}

test("V-0 a new family is one folder and one line", async () => {
  using folder = new Folder();
  const entry = programWithVideoX(folder.path);
  const sandbox = startSandbox({ port: 0, clock: systemClock, timers: systemTimers, paceMs: 0 });
  try {
    await using gateway = await startGateway({ entry, config: configure(sandbox.url) });
    const customer = await gateway.customer(1_000_000);
    const { key } = customer;

    const refused = await create(gateway, { model: "videoX-1", prompt, seconds: 9 }, { key });
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({ error: { param: "seconds" } });

    const made = await create(gateway, { model: "videoX-1", prompt, seconds: 4 }, { key });
    const id = idOf(made);
    expect(made.body).toMatchObject({ object: "video", model: "videoX-1", progress: 0 });
    const video = await reaches(gateway, id, "completed", key);
    expect(String(video["video_url"])).toContain("/media/");
    const content = await gateway.get(`/v1/videos/${id}/content`, key);
    expect(content.headers.get("content-type")).toBe("video/mp4");
    expect((await content.bytes()).length).toBeGreaterThan(100);
    expect(await balanceOf(gateway, customer.id)).toMatchObject({
      used_micros: 28_000,
      held_micros: 0,
    });

    const path = "/v1/video/generations";
    const unified = await create(gateway, { model: "maker-x-1", prompt }, { key, path });
    await reaches(gateway, idOf(unified), "completed", key);
    const list = await query(gateway, "/v1/videos", { key });
    expect(list.body["data"]).toHaveLength(2);
    const models = await query(gateway, "/v1/models", { key });
    expect(JSON.stringify(models.body)).toContain('"videoX-1"');
  } finally {
    await sandbox.close();
  }
});
