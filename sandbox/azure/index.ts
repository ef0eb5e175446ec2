// Azure in practice: a resource's addresses in front of OpenAI's and Anthropic's wires, with keys
// and tokens of its own, deployments in the path, and the content filter.
import { isObject } from "../../src/core/json.ts";
import { createAnthropic } from "../anthropic/index.ts";
import { directivesOf } from "../directives.ts";
import { createOpenai } from "../openai/index.ts";
import type { Answer, Vendor, VendorRequest, VendorWorld } from "../vendor.ts";
import { jsonBodyOf, revokedKey } from "../wire.ts";
import { azureRefusal, filterRefusal, resourceNotFound } from "./errors.ts";
import { withFindings } from "./filters.ts";
import { Tokens } from "./tokens.ts";

const currentWay = /^\/openai\/v1(\/.+)$/;
const deploymentWay = /^\/openai\/deployments\/([^/]+)(\/.+)$/;
const responsesWay = /^\/openai(\/responses(?:\/.+)?)$/;
const anthropicWay = /^\/anthropic(\/.+)$/;
const missingDeployment = /^missing/;

/** The request on the wire behind. */
interface Inner {
  vendor: "openai" | "anthropic";
  path: string;
  /** Null where the body names it. */
  deployment: string | null;
}

export function createAzure(world: VendorWorld): Vendor {
  const vendors = { openai: createOpenai(world), anthropic: createAnthropic(world) };
  const tokens = new Tokens(world.clock);
  return {
    prefix: "/azure",
    answer(request) {
      const granted = tokens.answer(request);
      if (granted) return granted;
      const inner = innerOf(request);
      if (inner === null) return resourceNotFound();
      const refusal = refuseCaller(request, inner, tokens) ?? refuseAsked(request, inner);
      if (refusal) return refusal;
      const answer = vendors[inner.vendor].answer(behind(request, inner));
      if (inner.vendor === "anthropic") return answer;
      if (answer.status === 400) return answer;
      if (answer.status > 400) return { ...azureRefusal(answer.status), faults: answer.faults };
      return withFindings(answer, asks(request, "late-filter") !== undefined);
    },
  };
}

/** Null where the resource has nothing there, as for a dated way without its version. */
function innerOf({ path, query }: VendorRequest): Inner | null {
  const [, messages] = anthropicWay.exec(path) ?? [];
  if (messages !== undefined) return { vendor: "anthropic", path: messages, deployment: null };
  const [, current] = currentWay.exec(path) ?? [];
  if (current !== undefined) {
    return { vendor: "openai", path: `/v1${current}`, deployment: null };
  }
  if (!/^\d{4}-\d\d-\d\d(?:-preview)?$/.test(query.get("api-version") ?? "")) return null;
  const [, responses] = responsesWay.exec(path) ?? [];
  if (responses !== undefined)
    return { vendor: "openai", path: `/v1${responses}`, deployment: null };
  const [, deployment, below] = deploymentWay.exec(path) ?? [];
  if (deployment === undefined || below === undefined) return null;
  return { vendor: "openai", path: `/v1${below}`, deployment: decodeURIComponent(deployment) };
}

function refuseCaller(request: VendorRequest, { vendor }: Inner, tokens: Tokens): Answer | null {
  const key = keyOf(request, vendor);
  if (key === null || key === revokedKey) return azureRefusal(401);
  request.note({ bearer: key });
  if (!tokens.isToken(key)) return null;
  const number = tokens.numberOf(key);
  const refused = asks(request, "expired-token");
  if (number !== null && number > (refused ?? 0)) return null;
  return azureRefusal(401, {
    message: "Unauthorized. Access token is missing, invalid or expired.",
  });
}

function refuseAsked(request: VendorRequest, { deployment }: Inner): Answer | null {
  const model = deployment ?? modelOf(request);
  if (model !== null && missingDeployment.test(model)) return azureRefusal(404);
  return asks(request, "filter-prompt") === undefined ? null : filterRefusal();
}

/** The header of the wire, or a bearer, which is a token or the key itself. */
function keyOf({ headers }: VendorRequest, vendor: Inner["vendor"]): string | null {
  const own = headers.get(vendor === "anthropic" ? "x-api-key" : "api-key");
  return own ?? /^Bearer (\S+)$/.exec(headers.get("authorization") ?? "")?.[1] ?? null;
}

/** The directive's number, 0 for a bare word, undefined where it is not there. */
function asks({ body }: VendorRequest, name: string): number | undefined {
  const text = new TextDecoder().decode(body);
  const directive = directivesOf(text, null).find((one) => one.name === name);
  return directive && (directive.value ?? 0);
}

function modelOf(request: VendorRequest): string | null {
  const body = jsonBodyOf(request);
  return isObject(body) && typeof body["model"] === "string" ? body["model"] : null;
}

/** The path decides which model it is, and the wire behind knows bearers alone. */
function behind(request: VendorRequest, { vendor, path, deployment }: Inner): VendorRequest {
  const headers = new Headers(request.headers);
  headers.set("authorization", `Bearer ${keyOf(request, vendor) ?? ""}`);
  const body = deployment === null ? null : jsonBodyOf(request);
  if (!isObject(body)) return { ...request, path, headers };
  const text = JSON.stringify({ ...body, model: deployment });
  return { ...request, path, headers, body: new TextEncoder().encode(text) };
}
