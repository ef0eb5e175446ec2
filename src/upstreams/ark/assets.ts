// Ark's registry of media. It lies on the control plane, behind another address and another kind of
// key than the tasks. Errors may come with the status of a success.
import { takenBody } from "../kit/video-reply.ts";
import { isObject, type JsonObject } from "../../core/json.ts";
import { suspectFault } from "../kit/suspect.ts";
import { idOf, partOf, textOf } from "../kit/vendor-reply.ts";
import { type Fault, type VendorCall, type VendorReply, VendorRefusal } from "../upstream.ts";
import { signedAddress } from "./signing.ts";

/** One account's way to the control plane. */
export interface RegistryCall {
  /** Such as "https://ark.cn-beijing.volcengineapi.com". */
  baseUrl: string;
  /** The pair, written `access:secret`. */
  pair: string;
  /** "default" unless the account has others. */
  project: string;
  nowSeconds: number;
  send: VendorCall["send"];
}

export interface MediaAsk {
  groupId: string;
  url: string;
  kind: "image" | "video" | "audio";
  name: string;
}

type AssetState =
  | { kind: "processing" }
  | { kind: "active"; url: string | null }
  | { kind: "failed"; code: string; message: string };

const apiVersion = "2024-01-01";
const usualRegion = "cn-beijing";
const types = { image: "Image", video: "Video", audio: "Audio" } as const;
const loadCode = /Limit|Throttl|Overload/i;
const keyCode = /AccessDenied|Signature|InvalidAccessKey|InvalidCredential|Unauthorized|Overdue/i;

/** The id of a new group, which every asset needs. */
export async function createGroup(name: string, call: RegistryCall): Promise<string> {
  const body = { GroupType: "AIGC", Name: name, ProjectName: call.project };
  return namedIn(await act("CreateAssetGroup", body, call));
}

/** The id of a new asset, which is not ready yet. */
export async function createAsset(ask: MediaAsk, call: RegistryCall): Promise<string> {
  const body = {
    GroupId: ask.groupId,
    URL: ask.url,
    AssetType: types[ask.kind],
    Name: ask.name,
    ProjectName: call.project,
  };
  return namedIn(await act("CreateAsset", body, call));
}

export async function readAsset(id: string, call: RegistryCall): Promise<AssetState> {
  const result = await act("GetAsset", { Id: id, ProjectName: call.project }, call);
  const { Status: status, URL: url } = result;
  if (status === "Active") return { kind: "active", url: textOf(url) };
  if (status !== "Failed") return { kind: "processing" };
  const error = partOf(result, "Error");
  const message = textOf(error["Message"]) ?? "The upstream could not take the asset.";
  return { kind: "failed", code: textOf(error["Code"]) ?? "asset_failed", message };
}

async function act(action: string, body: JsonObject, call: RegistryCall): Promise<JsonObject> {
  const { baseUrl, pair, nowSeconds } = call;
  const url = `${baseUrl.replace(/\/$/, "")}/?Action=${action}&Version=${apiVersion}`;
  // The signed text is the one sent: both are this object's plain JSON.
  const signing = { url, body: JSON.stringify(body), pair, region: regionOf(url), nowSeconds };
  const reply = await call.send({ method: "POST", address: signedAddress(signing), body });
  const answer = takenBody(reply, readRegistryFault);
  if (errorOf(answer) !== null)
    throw new VendorRefusal(readRegistryFault(400, reply.headers, answer));
  return partOf(answer, "Result");
}

function namedIn(result: JsonObject): string {
  const id = idOf(result["Id"]);
  if (id === null) throw new Error("the upstream's answer has no Id");
  return id;
}

/** The host names it, except for the one that serves them all. */
function regionOf(url: string): string {
  return /^ark\.([a-z]+-[a-z0-9-]+)\./.exec(new URL(url).hostname)?.[1] ?? usualRegion;
}

function errorOf(body: VendorReply["json"]): JsonObject | null {
  const error = partOf(body, "ResponseMetadata")["Error"];
  return isObject(error) ? error : null;
}

function readRegistryFault(status: number, _: Headers, body: VendorReply["json"]): Fault {
  const error = errorOf(body) ?? {};
  const code = textOf(error["Code"]);
  const message = textOf(error["Message"]) ?? `the upstream answered with status ${status}`;
  if (status === 429 || loadCode.test(code ?? "")) {
    return { blame: "load", message, retryAfterSeconds: null };
  }
  if (status === 401 || keyCode.test(code ?? "")) return { blame: "key", message };
  const suspect = suspectFault(status, message);
  if (suspect) return suspect;
  if (status !== 400) return { blame: "channel", message };
  const type = "invalid_request_error";
  return { blame: "request", status, type, code, param: null, message };
}
