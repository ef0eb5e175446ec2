// The wire of OpenAI and of gateways in front of many vendors: a bearer key on every address,
// whichever format is spoken there.
import { lowered } from "./kit/headers.ts";
import { GatewayError } from "../core/errors.ts";
import type { FormatName } from "../formats/format.ts";
import type { Address, Target, TextAsk } from "./upstream.ts";

type Paths = Readonly<Record<TextAsk["action"], string | null>>;

const only = (generate: string): Paths => ({ generate, count: null, compact: null });

/** Those whose addresses have the model in them. */
type GoogleFormat = "content" | "embedContent" | "batchEmbedContents" | "predict";
type AmazonFormat = "converse" | "invokeEmbed";

const paths: Readonly<Record<Exclude<FormatName, GoogleFormat | AmazonFormat>, Paths>> = {
  chat: only("/v1/chat/completions"),
  completions: only("/v1/completions"),
  embeddings: only("/v1/embeddings"),
  responses: {
    generate: "/v1/responses",
    count: "/v1/responses/input_tokens",
    compact: "/v1/responses/compact",
  },
  messages: { generate: "/v1/messages", count: "/v1/messages/count_tokens", compact: null },
};

/** Headers a wire demands of every request, unless the client or the channel says otherwise. */
const defaultHeaders: Partial<Record<FormatName, Readonly<Record<string, string>>>> = {
  messages: { "anthropic-version": "2023-06-01" },
};

export function openaiAddress(ask: TextAsk, target: Target): Address | null {
  const path = pathOf(ask);
  if (path === null) return null;
  const wireHeaders = lowered(ask.wireHeaders);
  const defaults = defaultHeaders[ask.format];
  return addressAt(path, target, defaults ? { ...defaults, ...wireHeaders } : wireHeaders);
}

/** The address of something below a stored response; `path` is not yet percent-encoded. */
export function storedAddress(path: string, target: Target): Address {
  const segments = path.split("/");
  // They would lead out of the folder, and encoding them does not help.
  if (segments.some((segment) => /^\.{0,2}$/.test(segment))) throw new GatewayError("not_found");
  return addressAt(`/v1/responses/${segments.map(encode).join("/")}`, target);
}

/** The address of the videos, or of something below one of them. */
export function videosAddress(target: Target, ...segments: string[]): Address {
  if (segments.some((segment) => /^\.{0,2}$/.test(segment))) throw new GatewayError("not_found");
  return addressAt(["/v1/videos", ...segments.map(encode)].join("/"), target);
}

/** The list of models, of which one tells as much as all. */
export function modelsAddress(target: Target, format: FormatName = "chat"): Address {
  return addressAt("/v1/models", target, defaultHeaders[format]);
}

/** The address at which images are made from a prompt, or from other images. */
export function imagesAddress(target: Target, kind: "generate" | "edit"): Address {
  return addressAt(`/v1/images/${kind === "edit" ? "edits" : "generations"}`, target);
}

function pathOf({ format, action, model, stream }: TextAsk): string | null {
  const at = `/v1beta/models/${encode(model)}`;
  if (format === "embedContent" || format === "batchEmbedContents") {
    return action === "generate" ? `${at}:${format}` : null;
  }
  // None of these is spoken here.
  if (format === "predict" || format === "converse" || format === "invokeEmbed") return null;
  if (format !== "content") return paths[format][action];
  if (action === "compact") return null;
  if (action === "count") return `${at}:countTokens`;
  return stream ? `${at}:streamGenerateContent?alt=sse` : `${at}:generateContent`;
}

/** At the end of an address, never the host's own name. */
const version = /([^/])\/(?:v1(?:beta)?\/?)?$/;
/** Some count otherwise, or have no version at all, which the whole address of a route says. */
const otherVersion = /([^/]\/v[2-9])\/?$|([^/])\/chat\/completions\/?$/;

/** Operators paste a base URL with and without the version. */
function addressAt(
  path: string,
  { baseUrl, key, headers }: Target,
  wireHeaders: Record<string, string> = {},
): Address {
  return {
    url: otherVersion.test(baseUrl)
      ? baseUrl.replace(otherVersion, "$1$2") + path.replace(/^\/v1(?=\/)/, "")
      : baseUrl.replace(version, "$1") + path,
    headers: { ...wireHeaders, ...lowered(headers), authorization: `Bearer ${key}` },
  };
}

/** Half of a surrogate pair has no encoding. */
function encode(segment: string): string {
  return encodeURIComponent(segment.toWellFormed());
}
