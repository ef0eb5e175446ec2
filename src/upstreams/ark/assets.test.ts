// Ark's registry of media against the sandbox's.
import { describe, expect, test } from "bun:test";
import { videoCall, VideoVendor } from "../../../test/harness/video-vendor.ts";
import type { Json } from "../../core/json.ts";
import { createAsset, createGroup, readAsset, type MediaAsk, type RegistryCall } from "./assets.ts";

const { send, nowSeconds } = videoCall("");

function callOf(vendor: VideoVendor, pair = "AK1:secret-of-AK1"): RegistryCall {
  const baseUrl = `${vendor.sandbox.url}/ark/registry`;
  return { baseUrl, pair, project: "default", nowSeconds, send };
}

function replying(status: number, json: Json): RegistryCall {
  const reply = { status, headers: new Headers(), json };
  return {
    baseUrl: "https://ark.cn-beijing.volcengineapi.com",
    pair: "a:b",
    project: "default",
    nowSeconds,
    send: async () => reply,
  };
}

const media: Omit<MediaAsk, "groupId"> = {
  url: "https://example.com/face.png",
  kind: "image",
  name: "face",
};

describe("an asset", () => {
  test("is ready after a moment, and one that is not there is not found", async () => {
    await using vendor = new VideoVendor("ark");
    const call = callOf(vendor);
    const groupId = await createGroup("ours", call);
    const id = await createAsset({ ...media, groupId }, call);
    expect(id).toStartWith("asset-");
    expect(await readAsset(id, call)).toEqual({ kind: "processing" });
    vendor.pass(1);
    expect(await readAsset(id, call)).toEqual({ kind: "active", url: media.url });
    await expect(readAsset(`${id}-gone`, call)).rejects.toMatchObject({
      fault: { blame: "request", code: "NotFound.Id" },
    });
  });

  test("that cannot be used has failed", async () => {
    await using vendor = new VideoVendor("ark");
    const call = callOf(vendor);
    const groupId = await createGroup("ours", call);
    const url = "https://example.com/sandbox-broken.png";
    const id = await createAsset({ ...media, url, groupId }, call);
    vendor.pass(1);
    const failed = { kind: "failed", code: "InvalidMedia", message: "Not media." } as const;
    expect(await readAsset(id, call)).toEqual(failed);
  });
});

test("another secret signs nothing", async () => {
  await using vendor = new VideoVendor("ark");
  await expect(createGroup("ours", callOf(vendor, "AK1:guess"))).rejects.toMatchObject({
    fault: { blame: "key" },
  });
});

test.each([
  [403, "AccessDenied", "key"],
  [200, "SignatureDoesNotMatch", "key"],
  [429, "RequestLimitExceeded", "load"],
  [200, "FlowLimitExceeded", "load"],
  [400, "InvalidParameter", "request"],
  [200, "InvalidParameter", "request"],
  [500, "InternalError", "channel"],
])("an error in %d with %s blames the %s", async (status, code, blame) => {
  const json = { ResponseMetadata: { Error: { Code: code, Message: "Ark's words" } } };
  await expect(readAsset("asset-1", replying(status, json))).rejects.toMatchObject({
    fault: { blame, message: "Ark's words" },
  });
});

test("an answer without an id may have made something", async () => {
  await expect(createGroup("ours", replying(200, { Result: {} }))).rejects.toThrow("no Id");
  await expect(createGroup("ours", replying(200, null))).rejects.toThrow("could not be read");
  await expect(createGroup("ours", replying(502, null))).rejects.toThrow("status 502");
});
