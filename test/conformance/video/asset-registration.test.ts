// Assets that an upstream registers: on the channel that has the registry's pair, and the videos
// that use them go there.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { rmSync } from "node:fs";
import type { JsonObject } from "../../../src/core/json.ts";
import { eventually } from "../../harness/books.ts";
import {
  rootKey,
  startGateway,
  startProcess,
  temporaryFolder,
  type Gateway,
} from "../../harness/gateway.ts";
import { png } from "../../harness/media-samples.ts";
import {
  create,
  envelopeOf,
  idOf,
  prompt,
  query,
  quickPolls,
  reaches,
  startVideoVendors,
  type VendorCall,
  type VideoVendors,
} from "../../harness/videos.ts";

setDefaultTimeout(60_000);

const model = "videoC-2-0-260128";
const registryPath = "/ark/registry/";
const tasksPath = "/ark/api/v3/contents/generations/tasks";
const bearer = "sk-ark-registry-two";

const host = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: () => new Response(png(640, 480)),
});

function arkChannel(vendors: VideoVendors, name: string, fields: object): object {
  const base = { type: "ark", base_url: `${vendors.url}/ark`, models: [model] };
  return { name, ...base, allow_private: true, ...fields };
}

/** The channel that comes first has no pair; of the other one's keys the second has. */
function configFor(vendors: VideoVendors): string {
  const keys = ["sk-ark-registry-one", `${bearer} AK2:secret-of-AK2`];
  const channels = [
    arkChannel(vendors, "plain", { key: "sk-ark-plain", priority: 5 }),
    arkChannel(vendors, "registry", { keys }),
  ];
  const media = `media: { private_hosts: ["127.0.0.1:${host.port}"] }`;
  return [quickPolls, media, `channels: ${JSON.stringify(channels)}`].join("\n");
}

interface AssetResult {
  Id: string;
  Status: string;
  Error?: { Code: string; Message: string };
}

async function register(gateway: Gateway, file = "fox.png"): Promise<AssetResult> {
  const body = { url: `http://127.0.0.1:${host.port}/${file}`, assetType: "image" };
  const reply = await create(gateway, body, { path: "/api/asset/createMedia" });
  return reply.body["Result"] as unknown as AssetResult;
}

async function settled(gateway: Gateway, id: string): Promise<AssetResult> {
  return await eventually(`the verdict on ${id}`, async () => {
    const { body } = await query(gateway, `/api/asset/get?id=${id}`);
    const asset = body["Result"] as unknown as AssetResult;
    return asset.Status === "Processing" ? undefined : asset;
  });
}

async function active(gateway: Gateway): Promise<string> {
  const { Id } = await register(gateway);
  expect(await settled(gateway, Id)).toMatchObject({ Status: "Active" });
  return Id;
}

/** Calls to the registry, by the signs of the bodies. */
function registered({ calls }: VideoVendors): VendorCall[] {
  return calls.filter(({ path, body }) => path === registryPath && body?.["URL"] !== undefined);
}

function started({ calls }: VideoVendors): VendorCall[] {
  return calls.filter(({ method, path }) => method === "POST" && path === tasksPath);
}

function mediaOf(call: VendorCall | undefined): unknown {
  const content = (call?.body?.["content"] ?? []) as { image_url?: JsonObject }[];
  return content.flatMap(({ image_url: image }) => (image ? [image["url"]] : []));
}

async function expectRefused(gateway: Gateway, fields: object, words: string[], key = rootKey) {
  const reply = await create(gateway, { model, prompt, ...fields }, { key });
  expect([fields, reply.status, envelopeOf(reply)]).toEqual([fields, 400, "c"]);
  const { message } = reply.body["error"] as { message: string };
  for (const word of words) expect(message).toContain(word);
}

describe("N6 an asset and the videos that use it", () => {
  let vendors: VideoVendors;
  let gateway: Gateway;

  beforeAll(async () => {
    vendors = startVideoVendors();
    gateway = await startGateway({ config: configFor(vendors) });
  });

  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
    await vendors[Symbol.asyncDispose]();
  });

  test("N6 S3 it is registered with the pair's channel, and videos go there by that key", async () => {
    const goOn = vendors.clock.stop();
    const made = await register(gateway);
    expect(made.Status).toBe("Processing");
    await eventually("the registration", async () => registered(vendors)[0]);
    const { body } = await query(gateway, `/api/asset/get?id=${made.Id}`);
    expect(body["Result"]).toMatchObject({ Status: "Processing" });
    goOn();
    expect(await settled(gateway, made.Id)).toMatchObject({ Status: "Active" });
    expect(registered(vendors)).toHaveLength(1);
    const [registration] = registered(vendors);
    expect(registration?.key).toContain("Credential=AK2/");
    expect(registration?.body).toMatchObject({ AssetType: "Image", Name: made.Id });

    for (let at = 0; at < 3; at++) {
      const fields = { first_image: `asset://${made.Id}` };
      const reply = await create(gateway, { model, prompt, ...fields });
      await reaches(gateway, idOf(reply), "completed");
    }
    const jobs = started(vendors);
    expect(jobs.map(({ key }) => key)).toEqual([bearer, bearer, bearer]);
    expect(mediaOf(jobs[0])).toEqual([expect.stringMatching(/^asset:\/\/asset-\d/)]);
    const shown = (await (await fetch(`${vendors.sandbox.url}/sandbox/jobs`)).json()) as object[];
    expect(shown).toHaveLength(3);

    idOf(await create(gateway, { model, prompt }));
    expect(started(vendors).at(-1)?.key).toBe("sk-ark-plain");
    const { key } = await gateway.customer(1_000_000);
    await expectRefused(gateway, { first_image: `asset://${made.Id}` }, ["first_image"], key);
    expect(gateway.output).not.toContain("secret-of-AK2");
  });

  test("N6 what the upstream cannot use has failed with its code", async () => {
    const { Id } = await register(gateway, "sandbox-broken.png");
    const failed = { Code: "InvalidMedia", Message: "Not media." };
    expect(await settled(gateway, Id)).toMatchObject({ Status: "Failed", Error: failed });
    await expectRefused(gateway, { first_image: `asset://${Id}` }, ["first_image", "failed"]);
  });

  test("N6 assets of two upstreams do not go together, and one that is gone is told", async () => {
    const early = await active(gateway);
    const better = arkChannel(vendors, "better", { key: "sk-b AK3:secret-of-AK3", priority: 9 });
    const { id } = await gateway.control<{ id: string }>("POST", "/api/channel", better);
    const late = await active(gateway);
    expect(registered(vendors).at(-1)?.key).toContain("Credential=AK3/");
    const both = { first_image: `asset://${early}`, last_image: `asset://${late}` };
    await expectRefused(gateway, both, ["last_image", "first_image"]);
    await gateway.control("DELETE", `/api/channel/${id}`);
    const before = started(vendors).length;
    await expectRefused(gateway, { first_image: `asset://${late}` }, ["first_image", "again"]);
    expect(started(vendors)).toHaveLength(before);
    idOf(await create(gateway, { model, prompt, first_image: `asset://${early}` }));
    expect(started(vendors).at(-1)?.key).toBe(bearer);
  });
});

test("N6 a registration outlives the gateway and is not made twice", async () => {
  const folder = temporaryFolder();
  try {
    await using vendors = startVideoVendors();
    const config = configFor(vendors);
    const first = await startProcess({ config, folder });
    const { Id } = await register(first);
    await eventually("a question about the asset", async () =>
      vendors.calls.find(({ body }) => String(body?.["Id"]).startsWith("asset-")),
    );
    await first.kill();
    await using second = await startGateway({ config, folder });
    expect(await settled(second, Id)).toMatchObject({ Status: "Active" });
    expect(registered(vendors)).toHaveLength(1);
    idOf(await create(second, { model, prompt, first_image: `asset://${Id}` }));
    expect(started(vendors).map(({ key }) => key)).toEqual([bearer]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

afterAll(async () => {
  await host.stop(true);
});
