// Videos that name registered assets, from the lookup to the one channel and key that know them.
import { describe, expect, test } from "bun:test";
import type { Asset } from "../../assets/asset.ts";
import { digestOf } from "../../core/digest.ts";
import { GatewayError } from "../../core/errors.ts";
import type { AccountId, AssetId, ChannelId } from "../../core/ids.ts";
import { isObject, type JsonObject } from "../../core/json.ts";
import type { ChannelKey } from "../../distribution/channel.ts";
import { findVideoFamily } from "../../families/index.ts";
import { Disk, now } from "../../tasks/fixtures/book-and-engine.ts";
import { resolveAssets } from "./resolve-assets.ts";
import { arkChannel, body, model, Stand } from "./fixtures/video-tasks.ts";

const accountId = "acc_1" as AccountId;

function asset(id: string, channel: string | null, key = "k"): Asset {
  const place = { channelId: `chn_${channel}` as ChannelId, keyDigest: key, reference: `up-${id}` };
  return {
    id: id as AssetId,
    accountId,
    group: "default",
    name: "",
    kind: "image",
    url: `https://media.example/${id}`,
    status: "active",
    error: null,
    place: channel === null ? null : place,
    createdAtMs: 0,
    updatedAtMs: 0,
  };
}

function resolve(fields: JsonObject, assets: readonly Asset[]) {
  const family = findVideoFamily(model);
  if (!family) throw new Error("the family is gone");
  const asked = { ...body, ...fields };
  const book = {
    async resolve(_: AccountId, id: string) {
      const found = assets.find((one) => one.id === id);
      if (!found) throw new GatewayError("invalid_request");
      return found;
    },
  };
  return resolveAssets(book, accountId, { job: family.parse(asked), body: asked });
}

describe("N6 an asset in a request", () => {
  test("goes by its URL where no upstream has it", async () => {
    const fields = { first_image: "asset://asset_1" };
    const { job, body: sent, home } = await resolve(fields, [asset("asset_1", null)]);
    const url = "https://media.example/asset_1";
    expect([job.media[0]?.source, sent["first_image"]]).toEqual([{ kind: "url", url }, url]);
    expect(home).toBeNull();
  });

  test("goes by the upstream's name where one has it, and names where the job must go", async () => {
    const fields = {
      reference_image_urls: ["asset://asset_1", "asset://asset_2", "asset://asset_3"],
    };
    const assets = [asset("asset_1", null), asset("asset_2", "one"), asset("asset_3", "one")];
    const { job, home } = await resolve(fields, assets);
    expect(job.media.map(({ source }) => source)).toEqual([
      { kind: "url", url: "https://media.example/asset_1" },
      { kind: "asset", id: "up-asset_2" },
      { kind: "asset", id: "up-asset_3" },
    ]);
    const param = "reference_image_urls.1";
    expect(home).toEqual({ channelId: "chn_one" as ChannelId, keyDigest: "k", param });
  });

  test.each([
    ["channel", asset("asset_2", "two")],
    ["key", asset("asset_2", "one", "other")],
  ])("of another %s than the first is a 400 that names the second field", async (_, second) => {
    const fields = { first_image: "asset://asset_1", last_image: "asset://asset_2" };
    const run = resolve(fields, [asset("asset_1", "one"), second]);
    await expect(run).rejects.toMatchObject({ code: "invalid_request", param: "last_image" });
  });
});

const keys = ["sk-one-0123456789", "sk-two-0123456789"];
const homeOf = (channel: string, key: string) => ({
  channelId: `chn_${channel}` as ChannelId,
  keyDigest: digestOf(key),
  param: "first_image",
});

function openStand(disk: Disk, changed: Partial<ChannelKey> = {}): Stand {
  const two = keys.map((text, position) => ({
    position,
    text,
    isEnabled: true,
    ...(position === 1 ? changed : {}),
  }));
  const channels = [
    arkChannel("best", { priority: 1 }),
    arkChannel("home", { keys: two, keepsKeys: false }),
    arkChannel("elsewhere", { models: ["videoC-2-0-fast-260128"] }),
  ];
  return new Stand({ disk, channels });
}

const bearers = ({ ark }: Stand) =>
  ark.requests.map(({ url, headers }) => [new URL(url).host, headers["authorization"]]);

function errorOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error("it was not refused");
}

describe("N6 a job with an asset that an upstream has", () => {
  test("goes to that channel and that key each time", () => {
    using disk = new Disk();
    const stand = openStand(disk);
    for (let at = 0; at < 2; at++) now(stand.submit({}, { home: homeOf("home", keys[1] ?? "") }));
    expect(bearers(stand)).toEqual(
      Array.from({ length: 2 }, () => ["home.example", `Bearer ${keys[1]}`]),
    );
  });

  test.each([
    ["refused", 401, "AuthenticationError"],
    ["busy", 429, "RateLimitExceeded"],
    ["broken", 500, "InternalServiceError"],
  ])("goes nowhere else when the upstream is %s", (_, status, code) => {
    using disk = new Disk();
    const stand = openStand(disk);
    stand.ark.starts.set("home.example", [{ status, json: { error: { code, message: "No." } } }]);
    const error = errorOf(() => now(stand.submit({}, { home: homeOf("home", keys[1] ?? "") })));
    expect(error).toBeInstanceOf(GatewayError);
    expect(bearers(stand)).toEqual([["home.example", `Bearer ${keys[1]}`]]);
    expect(disk.rows("select state from task")).toEqual([{ state: "failed" }]);
  });

  test("waits for no other key when its own is out of use", () => {
    using disk = new Disk();
    const stand = openStand(disk, { isEnabled: false });
    const error = errorOf(() => now(stand.submit({}, { home: homeOf("home", keys[1] ?? "") })));
    expect(error).toMatchObject({ code: "do_request_failed" });
    expect(stand.ark.requests).toEqual([]);
  });

  test.each([
    ["gone", "must be registered again", homeOf("gone", "any")],
    ["left without the key", "must be registered again", homeOf("home", "an older key")],
    ["of other models", "does not serve this model", homeOf("elsewhere", "sk-of-elsewhere-0123")],
  ])("is a 400 when the channel is %s", (_, words, home) => {
    using disk = new Disk();
    const stand = openStand(disk);
    const error = errorOf(() => now(stand.submit({}, { home })));
    expect(error).toMatchObject({ code: "invalid_request", param: "first_image" });
    expect(isObject(error) ? error["message"] : String(error)).toContain(words);
    expect(stand.ark.requests).toEqual([]);
  });
});
