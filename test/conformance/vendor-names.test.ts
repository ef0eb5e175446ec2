// Media that are asked for by their vendors' own names: priced, shown, logged and listed by them.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { balanceOf, eventually, type LogRow } from "../harness/books.ts";
import { startGateway, type Gateway } from "../harness/gateway.ts";
import {
  create,
  idOf,
  prompt,
  query,
  quickPolls,
  reaches,
  starts,
  startVideoVendors,
  type VideoVendors,
} from "../harness/videos.ts";

setDefaultTimeout(60_000);

const grantMicros = 10_000_000;
const vendorNames = ["sora-2", "gpt-image-1.5", "gemini-3-pro-image-preview"];

let vendors: VideoVendors;
let gateway: Gateway;

beforeAll(async () => {
  vendors = startVideoVendors();
  const channel = (name: string, type: string, models: string[]) => ({
    name,
    type,
    base_url: `${vendors.url}/${type}`,
    key: `sk-${name}-0123456789`,
    models,
    allow_private: true,
  });
  gateway = await startGateway({
    config: [
      quickPolls,
      `channels: ${JSON.stringify([
        channel("theirs", "openai", ["sora-2", "gpt-image-1.5", "dall-e-3"]),
        channel("pictures", "google", ["gemini-3-pro-image-preview"]),
        channel("ours", "openai", ["videoB-2-pro"]),
      ])}`,
      `prices: ${JSON.stringify([
        { model: "sora-2", second_micros: 123 },
        { model: "gpt-image-1.5", image_micros: 777 },
        { model: "gemini-3-pro-image-preview", image_micros: 555 },
        { model: "videoB-2", second_micros: 9_000 },
        { model: "imageA-1", image_micros: 9_000 },
      ])}`,
    ].join("\n"),
  });
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await vendors[Symbol.asyncDispose]();
});

/** Every row that the log has of a key, once there are so many. */
function logOf(keyId: string, rows: number): Promise<LogRow[]> {
  return eventually(`${rows} rows of ${keyId}`, async () => {
    const { items } = await gateway.control<{ items: LogRow[] }>("GET", `/api/log?key=${keyId}`);
    return items.length >= rows ? items : undefined;
  });
}

async function listed(path: string, key?: string): Promise<string[]> {
  const body = (await (await gateway.get(path, key)).json()) as { data: { id: string }[] };
  return body.data.map(({ id }) => id);
}

describe("V-N1 a video by its vendor's name", () => {
  test("costs what was set for that name, and goes by it everywhere", async () => {
    const customer = await gateway.customer(grantMicros);
    const { key } = customer;
    const reply = await create(gateway, { model: "sora-2", prompt, seconds: 4 }, { key });
    const id = idOf(reply);
    expect(reply.body["model"]).toBe("sora-2");
    const done = await reaches(gateway, id, "completed", key);
    expect(done["model"]).toBe("sora-2");
    const rows = await logOf(customer.keyId, 2);
    expect(rows.map(({ model }) => model)).toEqual(["sora-2", "sora-2"]);
    expect(Math.max(...rows.map(({ micros }) => micros))).toBe(4 * 123);
    expect(await balanceOf(gateway, customer.id)).toMatchObject({
      quota_micros: grantMicros - 4 * 123,
      held_micros: 0,
    });
    expect(starts(vendors).at(-1)?.text).toContain("sora-2");
  });

  test("that no price was set for costs what the model behind it does, under its own name", async () => {
    const customer = await gateway.customer(grantMicros);
    const { key } = customer;
    const reply = await create(gateway, { model: "sora-2-pro", prompt, seconds: 4 }, { key });
    expect(reply.body["model"]).toBe("sora-2-pro");
    await reaches(gateway, idOf(reply), "completed", key);
    expect(await balanceOf(gateway, customer.id)).toMatchObject({
      quota_micros: grantMicros - 4 * 300_000,
    });
  });

  test("leaves the family's name to those who ask for that", async () => {
    const reply = await create(gateway, { model: "videoB-2-pro", prompt, seconds: 4 });
    expect(reply.body["model"]).toBe("videoB-2-pro");
    await reaches(gateway, idOf(reply), "completed");
    const refused = await create(gateway, { model: "sora-2", prompt, size: "1x1" });
    expect(JSON.stringify(refused.body)).toContain("sora-2");
    expect(JSON.stringify(refused.body)).not.toContain("videoB");
  });
});

describe("I8 an image by its vendor's name", () => {
  test.each([
    ["gpt-image-1.5", 777],
    ["gemini-3-pro-image-preview", 555],
  ])("%s costs what was set for that name, and is logged by it", async (model, micros) => {
    const customer = await gateway.customer(grantMicros);
    const asked = { model, prompt: "A fox" };
    const response = await gateway.post("/v1/images/generations", asked, customer.key);
    expect(response.status).toBe(200);
    const [row] = await logOf(customer.keyId, 1);
    expect(row).toMatchObject({ model, micros });
    expect(await balanceOf(gateway, customer.id)).toMatchObject({
      quota_micros: grantMicros - micros,
    });
  });

  test("that runs as a task costs the same, and the task goes by it", async () => {
    const customer = await gateway.customer(grantMicros);
    const { key } = customer;
    const asked = { model: "gpt-image-1.5", prompt: "A fox", response_format: "url" };
    const made = await create(gateway, asked, { key, path: "/v1/images/generations/async" });
    expect(made.body["model"]).toBe("gpt-image-1.5");
    const id = String(made.body["id"]);
    const done = await eventually("the end of the task", async () => {
      const { body } = await query(gateway, `/v1/images/generations/async/${id}`, { key });
      return body["status"] === "completed" ? body : undefined;
    });
    expect(done["model"]).toBe("gpt-image-1.5");
    expect(await balanceOf(gateway, customer.id)).toMatchObject({
      quota_micros: grantMicros - 777,
    });
  });
});

test("V-N2 the list of models has vendors' names, of channels that name them so or otherwise", async () => {
  const all = await listed("/v1/models");
  expect(all).toEqual(expect.arrayContaining([...vendorNames, "dall-e-3"]));
  expect(all).toEqual(expect.arrayContaining(["videoB-2-pro", "sora-2-pro"]));
  expect(all).not.toContain("videoB-2");
  expect(all).not.toContain("gpt-image-2");
  expect((await gateway.get("/v1/models/sora-2-pro")).status).toBe(200);
  const narrow = await gateway.customer(grantMicros, { models: ["videoB-2-pro"] });
  expect(await listed("/v1/models", narrow.key)).toEqual(["sora-2-pro", "videoB-2-pro"]);
});
