// Google: the model and what is wanted of it stand in the address, the key in a header. Never in
// the address, which proxies and logs keep.
import { isObject, type JsonObject } from "../../core/json.ts";
import type { Address, Target, TextAsk, Upstream } from "../upstream.ts";
import { readFault } from "./errors.ts";
import { mend } from "./mend.ts";

export const google: Upstream = {
  type: "google",
  text: { formats: () => ["content"], address, adjust, mend },
  readFault,
};

function address(ask: TextAsk, { baseUrl, key, headers }: Target): Address | null {
  const path = encodePath(ask.model);
  const verb = verbOf(ask);
  if (path === null || verb === null) return null;
  return {
    // Operators paste a base URL with and without the version.
    url: `${baseUrl.replace(/(?<!\/)\/(?:v1(?:beta)?\/?)?$/, "")}/v1beta/models/${path}:${verb}`,
    headers: { ...lowered(ask.wireHeaders), ...lowered(headers), "x-goog-api-key": key },
  };
}

function verbOf({ format, action, stream }: TextAsk): string | null {
  if (format !== "content" || action === "compact") return null;
  if (action === "count") return "countTokens";
  return stream ? "streamGenerateContent?alt=sse" : "generateContent";
}

/** Null for a name that would lead to another place: encoding its dots does not help. */
function encodePath(model: string): string | null {
  const segments = bareName(model).split("/");
  if (segments.some((segment) => /^\.{0,2}$/.test(segment))) return null;
  // Half of a surrogate pair has no encoding.
  return segments.map((segment) => encodeURIComponent(segment.toWellFormed())).join("/");
}

/** Google's own lists name a model with its folder. */
function bareName(model: string): string {
  return model.replace(/^models\//, "");
}

/** Names differ by case alone between client and channel; one of them must win. */
function lowered(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

/** Only contents may be counted as they stand; a whole request is wrapped and names its model. */
function adjust(body: JsonObject, { action, model }: TextAsk): JsonObject {
  if (action !== "count") return body;
  const wrapped = body["generateContentRequest"] ?? body["generate_content_request"];
  const request = isObject(wrapped) ? wrapped : body;
  const isPlain = request === body && Object.keys(body).every((name) => name === "contents");
  if (isPlain) return body;
  return { generateContentRequest: { ...request, model: `models/${bareName(model)}` } };
}
