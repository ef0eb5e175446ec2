// Ark's registry of media: calls are signed, and an asset is ready after a moment.
import { createHash, createHmac } from "node:crypto";
import type { Clock } from "../../src/core/clock.ts";
import { type Checker, compile, type Static, Type } from "../../src/core/schema.ts";
import type { Answer, VendorRequest } from "../vendor.ts";
import { jsonAnswer, jsonBodyOf, secretOf } from "../wire.ts";

const apiVersion = "2024-01-01";
const readyMs = 1000;
const assetsMax = 10_000;
const closed = { additionalProperties: false } as const;
const project = Type.Optional(Type.String());
const kinds = ["Image", "Video", "Audio"] as const;

const GroupAsk = Type.Object(
  {
    Name: Type.String({ minLength: 1, maxLength: 64 }),
    Description: Type.Optional(Type.String({ maxLength: 300 })),
    GroupType: Type.Optional(Type.Enum(["AIGC", "LivenessFace"])),
    ProjectName: project,
  },
  closed,
);
const AssetAsk = Type.Object(
  {
    GroupId: Type.String({ minLength: 1 }),
    URL: Type.String({ pattern: "^https?://" }),
    AssetType: Type.Enum(kinds),
    Name: Type.Optional(Type.String({ maxLength: 64 })),
    ProjectName: project,
  },
  closed,
);
const groupAsk = compile(GroupAsk);
const assetAsk = compile(AssetAsk);
const idAsk = compile(Type.Object({ Id: Type.String(), ProjectName: project }, closed));

interface Asset {
  access: string;
  ask: Static<typeof AssetAsk>;
  createdMs: number;
}

class RegistryRefusal extends Error {
  override readonly name = "RegistryRefusal";
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export class AssetRegistry {
  readonly #clock: Clock;
  readonly #prefix: string;
  readonly #groups = new Map<string, string>();
  readonly #assets = new Map<string, Asset>();
  #count = 0;

  constructor(clock: Clock, prefix: string) {
    this.#clock = clock;
    this.#prefix = prefix;
  }

  answer(request: VendorRequest): Answer {
    const action = request.query.get("Action") ?? "";
    const metadata = { RequestId: `ark-${++this.#count}`, Action: action, Version: apiVersion };
    const about = { ...metadata, Service: "ark", Region: "cn-beijing" };
    try {
      const access = checkSignature(request, this.#prefix);
      request.note({ bearer: access });
      return jsonAnswer({ ResponseMetadata: about, Result: this.#act(action, access, request) });
    } catch (error) {
      if (!(error instanceof RegistryRefusal)) throw error;
      const { status, code, message } = error;
      const refusal = { ...about, Error: { Code: code, Message: message } };
      return jsonAnswer({ ResponseMetadata: refusal }, { status });
    }
  }

  #act(action: string, access: string, request: VendorRequest): object {
    const json = jsonBodyOf(request);
    if (action === "CreateAssetGroup") {
      check(groupAsk, json);
      const id = `group-${this.#clock.nowMs()}-${this.#count}`;
      this.#groups.set(id, access);
      return { Id: id };
    }
    if (action === "CreateAsset") return this.#create(access, check(assetAsk, json));
    if (action === "GetAsset") return this.#show(access, check(idAsk, json).Id);
    if (action !== "DeleteAsset") throw invalid("InvalidActionOrVersion", "No such action.");
    const { Id: id } = check(idAsk, json);
    this.#show(access, id);
    this.#assets.delete(id);
    return {};
  }

  #create(access: string, ask: Asset["ask"]): object {
    if (this.#groups.get(ask.GroupId) !== access) throw notFound(ask.GroupId);
    const id = `asset-${this.#clock.nowMs()}-${this.#count}`;
    this.#assets.set(id, { access, ask, createdMs: this.#clock.nowMs() });
    const [oldest] = this.#assets.keys();
    if (this.#assets.size > assetsMax && oldest !== undefined) this.#assets.delete(oldest);
    return { Id: id };
  }

  #show(access: string, id: string): object {
    const asset = this.#assets.get(id);
    if (asset?.access !== access) throw notFound(id);
    const isReady = this.#clock.nowMs() - asset.createdMs >= readyMs;
    // An address with this word in it stands for media that cannot be used.
    const isBroken = asset.ask.URL.includes("sandbox-broken");
    const ended = isBroken ? "Failed" : "Active";
    return {
      Id: id,
      ...asset.ask,
      Status: isReady ? ended : "Processing",
      ...(isReady && isBroken ? { Error: { Code: "InvalidMedia", Message: "Not media." } } : {}),
    };
  }
}

function check<Value>(checker: Checker<Value>, json: unknown): Value {
  if (checker.is(json)) return json;
  const [fault = { path: "", message: "is not valid" }] = checker.faults(json);
  throw invalid("InvalidParameter", `${fault.path} ${fault.message}`);
}

const proofForm = new RegExp(
  "^HMAC-SHA256 Credential=([^/]+)/((\\d{8})/([^/]+)/ark/request), " +
    "SignedHeaders=([\\w;-]+), Signature=(\\w+)$",
);

function checkSignature({ headers, path, query, body }: VendorRequest, prefix: string): string {
  const found = proofForm.exec(headers.get("authorization") ?? "");
  if (!found) throw new RegistryRefusal(401, "MissingAuthentication", "It is not signed.");
  const [, access = "", scope = "", day = "", region = "", names = "", signature = ""] = found;
  const hash = createHash("sha256").update(body).digest("hex");
  const pairs = [...query].map(([name, value]) => `${name}=${value}`).toSorted();
  const lines = names.split(";").map((name) => `${name}:${headers.get(name) ?? ""}`);
  const canonical = ["POST", prefix + path, pairs.join("&"), ...lines, "", names, hash].join("\n");
  const canonicalHash = createHash("sha256").update(canonical).digest("hex");
  const toSign = `HMAC-SHA256\n${headers.get("x-date")}\n${scope}\n${canonicalHash}`;
  const key = [day, region, "ark", "request"].reduce<string | Buffer>(sign, secretOf(access));
  if (sign(key, toSign).toString("hex") === signature) return access;
  throw new RegistryRefusal(401, "SignatureDoesNotMatch", "The signature is not right.");
}

function sign(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

function invalid(code: string, message: string): RegistryRefusal {
  return new RegistryRefusal(400, code, message);
}

/** The registry says so with the status of a success. */
function notFound(id: string): RegistryRefusal {
  return new RegistryRefusal(200, "NotFound.Id", `There is no ${id}.`);
}
