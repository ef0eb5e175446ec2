// The asset facet against the sandbox's registry.
import { expect, test } from "bun:test";
import { videoJob, VideoVendor } from "../../../test/harness/video-vendor.ts";
import { ark } from "./index.ts";

const key = "ark-key AK1:secret-of-AK1";
const asset = { id: "asset_1", url: "https://example.com/fox.png", kind: "image" } as const;

function facet() {
  if (!ark.assets || !ark.video) throw new Error("ark has no assets");
  return { assets: ark.assets, video: ark.video };
}

test("N6 an asset is registered with the pair of the key, and a task has its bearer", async () => {
  await using vendor = new VideoVendor("ark");
  const { assets, video } = facet();
  const call = vendor.call({ key, model: "doubao-seedance-2-0-260128" });
  const reference = await assets.register(asset, call);
  expect(await assets.status(reference, call)).toEqual({ kind: "processing" });
  vendor.pass(1);
  expect(await assets.status(reference, call)).toEqual({ kind: "active" });
  const source = { kind: "asset", id: reference } as const;
  const media = [{ kind: "image", role: "first-frame", source, param: "first_image" }] as const;
  await video.start(videoJob({ media: [...media] }), {}, call);
  const seen = await fetch(`${vendor.sandbox.url}/sandbox/calls`);
  const { recent } = (await seen.json()) as { recent: { path: string; bearerLast4: string }[] };
  expect(recent.map(({ bearerLast4 }) => bearerLast4)).toContain("-key");
  expect(recent.filter(({ path }) => path === "/ark/registry/")).toHaveLength(4);
});

test("N6 what the registry cannot use has failed with its code", async () => {
  await using vendor = new VideoVendor("ark");
  const { assets } = facet();
  const call = vendor.call({ key });
  const url = "https://example.com/sandbox-broken.png";
  const reference = await assets.register({ ...asset, url }, call);
  vendor.pass(1);
  const failed = { kind: "failed", code: "InvalidMedia", message: "Not media." } as const;
  expect(await assets.status(reference, call)).toEqual(failed);
});

test("a key without a pair is not for the registry", async () => {
  await using vendor = new VideoVendor("ark");
  const { assets } = facet();
  const call = vendor.call({ key: "ark-key" });
  expect(assets.accepts(call.target)).toBe(false);
  expect(assets.accepts({ ...call.target, key })).toBe(true);
  await expect(assets.register(asset, call)).rejects.toThrow("no pair");
});
