// The choice of an upstream for assets, and how its answers are taken.
import { expect, test } from "bun:test";
import type { Asset } from "../../assets/asset.ts";
import { digestOf } from "../../core/digest.ts";
import type { AccountId, AssetId } from "../../core/ids.ts";
import type { JsonObject } from "../../core/json.ts";
import type { OutboundReply, OutboundRequest } from "../../core/outbound.ts";
import type { ChannelSettings } from "../../distribution/channel.ts";
import { Disk } from "../../tasks/fixtures/book-and-engine.ts";
import { AssetRegistrar } from "./asset-registrar.ts";
import { arkChannel, Stand } from "./fixtures/video-tasks.ts";

const pairKey = "sk-with-a-pair AK1:secret-of-AK1";
const asset: Asset = {
  id: "asset_1" as AssetId,
  accountId: "acc_1" as AccountId,
  group: "default",
  name: "fox",
  kind: "image",
  url: "https://media.example/fox.png",
  status: "processing",
  error: null,
  place: null,
  createdAtMs: 0,
  updatedAtMs: 0,
};

function channel(name: string, rest: Partial<ChannelSettings> = {}): ChannelSettings {
  const keys = [{ position: 0, text: pairKey, isEnabled: true }];
  return arkChannel(name, { keys, ...rest });
}

interface Said {
  status?: number;
  result?: JsonObject;
  error?: JsonObject;
}

function open(disk: Disk, channels: readonly ChannelSettings[], said: Said = {}) {
  const stand = new Stand({ disk, channels });
  const requests: OutboundRequest[] = [];
  const { status = 200, result = { Id: "up-1" }, error } = said;
  const json = { ResponseMetadata: error ? { Error: error } : {}, Result: result };
  const send = async (request: OutboundRequest): Promise<OutboundReply> => {
    requests.push(request);
    const bytes = new TextEncoder().encode(JSON.stringify(json));
    const rest = { mediaType: "", read: async () => ({}), take: () => undefined, cancel() {} };
    return { status, headers: new Headers(), bytes: async () => bytes, ...rest };
  };
  const quiet = () => {};
  const log = { debug: quiet, info: quiet, warn: quiet, error: quiet, flush: quiet };
  const vendors = { ...stand.needs.vendors, send };
  return { registrar: new AssetRegistrar({ vendors, log }), requests, vendors };
}

const placeOn = (name: string) => ({
  channelId: channel(name).id,
  keyDigest: digestOf(pairKey),
  reference: "up-1",
});

test("N6 the best channel of the group that has a pair and serves videoC 2.0 is taken", async () => {
  using disk = new Disk();
  const { registrar, requests } = open(disk, [
    arkChannel("without-a-pair", { priority: 9 }),
    channel("other-group", { priority: 8, groups: ["other"] }),
    channel("other-models", { priority: 7, models: ["manxue-2.0"] }),
    channel("low"),
    channel("high", { priority: 2 }),
  ]);
  expect(await registrar.register(asset)).toEqual({ kind: "placed", place: placeOn("high") });
  expect(requests.map(({ url }) => new URL(url).host)).toEqual(["high.example", "high.example"]);
  expect(JSON.stringify(requests)).not.toContain("secret-of-AK1");
});

test("N6 a channel that is put aside is passed over while there is another", async () => {
  using disk = new Disk();
  const channels = [channel("high", { priority: 2 }), channel("low")];
  const { registrar, vendors } = open(disk, channels);
  const [high, low] = vendors.channels.all;
  for (let at = 0; at < 5; at++) high?.health.failed(vendors.clock.monotonicMs());
  expect(await registrar.register(asset)).toMatchObject({ place: placeOn("low") });
  for (let at = 0; at < 5; at++) low?.health.failed(vendors.clock.monotonicMs());
  expect(await registrar.register(asset)).toMatchObject({ place: placeOn("high") });
});

test("N6 without a pair, or with a key out of use, nothing is registered", async () => {
  using disk = new Disk();
  const disabled = { position: 0, text: pairKey, isEnabled: false };
  const channels = [arkChannel("one"), channel("two", { keys: [disabled] })];
  const { registrar, requests } = open(disk, channels);
  expect(await registrar.register(asset)).toEqual({ kind: "unneeded" });
  expect(requests).toEqual([]);
});

test("N6 only what the vendor says of the asset itself is final", async () => {
  using disk = new Disk();
  const answers = async (said: Said) => {
    const { registrar } = open(disk, [channel("one")], said);
    return [await registrar.register(asset), await registrar.status(asset, placeOn("one"))];
  };
  const refused = { Code: "InvalidParameter.URL", Message: "No use, secret-of-AK1." };
  const failed = { code: "InvalidParameter.URL", message: "No use, [secret]." };
  expect(await answers({ status: 400, error: refused })).toEqual([
    { kind: "failed", error: failed },
    { kind: "failed", error: failed },
  ]);
  for (const [status, Code] of [
    [401, "SignatureDoesNotMatch"],
    [429, "FlowLimitExceeded"],
    [500, "InternalError"],
  ] as const) {
    const unclear = { kind: "unclear" } as const;
    expect(await answers({ status, error: { Code, Message: "No." } })).toEqual([unclear, unclear]);
  }
});

test("N6 the vendor's verdict is passed on, and an upstream that is gone is one", async () => {
  using disk = new Disk();
  const standing = async (result: JsonObject, on = "one") =>
    await open(disk, [channel("one")], { result }).registrar.status(asset, placeOn(on));
  expect(await standing({ Status: "Processing" })).toEqual({ kind: "processing" });
  expect(await standing({ Status: "Active" })).toEqual({ kind: "active" });
  const broken = { Status: "Failed", Error: { Code: "InvalidMedia", Message: "Not media." } };
  const error = { code: "InvalidMedia", message: "Not media." };
  expect(await standing(broken)).toEqual({ kind: "failed", error });
  expect(await standing({}, "none")).toMatchObject({ error: { code: "UpstreamGone" } });
});
