// The asset routes.
import type { Asset, AssetKind, AssetStatus } from "../assets/asset.ts";
import type { Assets } from "../assets/assets.ts";
import { GatewayError } from "../core/errors.ts";
import type { JsonObject } from "../core/json.ts";
import { jsonAnswer, type Answer } from "../gateway/answer.ts";
import type { Caller } from "../identity/caller.ts";
import { assetEntries } from "./assets-entries.ts";
import type { Incoming, KeyRoute } from "./route.ts";

const bodyBytesMax = 64 * 1024;
const urlLengthMax = 8192;
const nameLengthMax = 64;

export function assetRoutes(assets: Assets): KeyRoute[] {
  const key = { policy: "key", carriers: ["bearer"], envelope: "c", isPaid: false } as const;
  return [
    {
      ...key,
      method: "POST",
      path: "/api/asset/createMedia",
      entry: assetEntries.create,
      serve: (incoming, { caller }) => create(assets, incoming, caller),
    },
    {
      ...key,
      method: "GET",
      path: "/api/asset/get",
      entry: assetEntries.read,
      serve: (incoming, { caller }) => read(assets, incoming, caller),
    },
  ];
}

async function create(assets: Assets, incoming: Incoming, caller: Caller): Promise<Answer> {
  const { value } = await incoming.json(bodyBytesMax);
  const asset = await assets.register(caller, {
    url: readText(value, ["url", "URL"], urlLengthMax) ?? refuse("url", "is required"),
    name: readText(value, ["name", "Name"], nameLengthMax) ?? "",
    kind: readKind(value),
  });
  return render(asset, "CreateMedia", incoming);
}

async function read(assets: Assets, incoming: Incoming, { accountId }: Caller): Promise<Answer> {
  const id = incoming.query.get("id") ?? "";
  if (id === "") return refuse("id", "is required");
  if (id.startsWith("asset://")) return refuse("id", "must be the bare id, without asset://");
  const asset = await assets.find(accountId, id);
  if (!asset) throw new GatewayError("not_found", { message: "There is no asset with this id." });
  return render(asset, "GetAsset", incoming);
}

/** Clients write these fields in more than one way; the first that is there counts. */
function readText(body: JsonObject, names: readonly string[], lengthMax: number): string | null {
  const name = names.find((known) => body[known] !== undefined && body[known] !== null);
  if (name === undefined) return null;
  const value = body[name];
  if (typeof value !== "string" || value.trim() === "") return refuse(name, "must be a text");
  if (value.length > lengthMax) return refuse(name, `must be at most ${lengthMax} characters`);
  return value.trim();
}

const kinds: Readonly<Record<string, AssetKind>> = {
  image: "image",
  video: "video",
  audio: "audio",
};

function readKind(body: JsonObject): AssetKind {
  const text = readText(body, ["assetType", "AssetType", "type"], 64);
  if (text === null) return refuse("assetType", "is required: image, video or audio");
  return kinds[text.toLowerCase()] ?? refuse("assetType", "must be image, video or audio");
}

function refuse(param: string, reason: string): never {
  throw new GatewayError("invalid_request", { param, message: `${param} ${reason}` });
}

const statuses: Readonly<Record<AssetStatus, string>> = {
  processing: "Processing",
  active: "Active",
  failed: "Failed",
};

function render(asset: Asset, action: string, { scope }: Incoming): Answer {
  const { id, name, url, kind, status, error, createdAtMs, updatedAtMs } = asset;
  return jsonAnswer({
    ResponseMetadata: { RequestId: scope.requestId, Action: action },
    Result: {
      Id: id,
      Name: name,
      URL: url,
      AssetType: kind,
      Status: statuses[status],
      ...(error && { Error: { Code: error.code, Message: error.message } }),
      CreateTime: new Date(createdAtMs).toISOString(),
      UpdateTime: new Date(updatedAtMs).toISOString(),
    },
  });
}
