// Addresses of a resource of Azure: under `/openai/v1`, where a request names its deployment as
// its model; under a dated version, where the path has the deployment; and under `/anthropic`.
import { GatewayError } from "../../core/errors.ts";
import type { FormatName } from "../../formats/format.ts";
import { lowered } from "../kit/headers.ts";
import { entraPass } from "../kit/pass/entra.ts";
import type { Address, Target, TextAsk } from "../upstream.ts";

interface Place {
  /** Below `/openai/v1`, or below the deployment. */
  path: string;
  /** Null where the path of a dated version has no deployment in it. */
  deployment: string | null;
}

const textPaths: Partial<Record<FormatName, string>> = {
  chat: "/chat/completions",
  completions: "/completions",
  embeddings: "/embeddings",
};

const responsePaths: Readonly<Record<TextAsk["action"], string>> = {
  generate: "/responses",
  count: "/responses/input_tokens",
  compact: "/responses/compact",
};

const messagePaths: Readonly<Record<TextAsk["action"], string | null>> = {
  generate: "/v1/messages",
  count: "/v1/messages/count_tokens",
  compact: null,
};

const anthropicVersion = { "anthropic-version": "2023-06-01" };

export function azureAddress(ask: TextAsk, target: Target): Address | null {
  const { format, action, model } = ask;
  const wire = lowered(ask.wireHeaders);
  if (format === "messages") return messagesAddress(messagePaths[action], target, wire);
  if (format === "responses") {
    // Counting and condensing came after the last dated version.
    if (action !== "generate" && isDated(target)) return null;
    return openaiAt(target, { path: responsePaths[action], deployment: null }, wire);
  }
  const path = action === "generate" ? textPaths[format] : undefined;
  return path === undefined ? null : openaiAt(target, { path, deployment: model }, wire);
}

/** The address of something below a stored response; `path` is not yet percent-encoded. */
export function azureStored(path: string, target: Target): Address {
  const segments = path.split("/");
  // They would lead out of the folder, and encoding them does not help.
  if (segments.some((segment) => /^\.{0,2}$/.test(segment))) throw new GatewayError("not_found");
  const below = segments.map(encode).join("/");
  return openaiAt(target, { path: `/responses/${below}`, deployment: null }, {});
}

export function azureImages(target: Target, model: string, kind: "generate" | "edit"): Address {
  const path = `/images/${kind === "edit" ? "edits" : "generations"}`;
  return openaiAt(target, { path, deployment: model }, {});
}

/** The list of what can be deployed, which no dated version has in another form. */
export function azureModels(target: Target): Address {
  const { api_version: _version, ...vendor } = target.vendor ?? {};
  return openaiAt({ ...target, vendor }, { path: "/models", deployment: null });
}

/** Operators paste the address of the resource, and what its pages show of the ways below it. */
const ways = /\/(?:openai(?:\/v1)?|anthropic(?:\/v1)?|models)?\/?$/;

function rootOf({ baseUrl }: Target): string {
  const { origin, pathname } = new URL(baseUrl);
  return `${origin}${pathname.replace(ways, "")}`;
}

function isDated({ vendor }: Target): boolean {
  return /^\d{4}-/.test(vendor?.api_version ?? "");
}

function openaiAt(
  target: Target,
  { path, deployment }: Place,
  wire: Readonly<Record<string, string>> = {},
): Address {
  const { key, headers, vendor } = target;
  const version = vendor?.api_version;
  const query = version === undefined ? "" : `?api-version=${encodeURIComponent(version)}`;
  const root = `${rootOf(target)}/openai`;
  const way = deployment === null ? "" : `/deployments/${encode(deployment)}`;
  const pass = entraPass(target) ?? undefined;
  return {
    url: `${root}${isDated(target) ? way : "/v1"}${path}${query}`,
    headers: { ...wire, ...lowered(headers), ...(!pass && { "api-key": key }) },
    pass,
  };
}

function messagesAddress(
  path: string | null,
  target: Target,
  wire: Readonly<Record<string, string>>,
): Address | null {
  if (path === null) return null;
  const pass = entraPass(target) ?? undefined;
  const own = { ...anthropicVersion, ...wire, ...lowered(target.headers) };
  return {
    url: `${rootOf(target)}/anthropic${path}`,
    headers: pass ? own : { ...own, "x-api-key": target.key },
    pass,
  };
}

/** Half of a surrogate pair has no encoding. */
function encode(segment: string): string {
  return encodeURIComponent(segment.toWellFormed());
}
