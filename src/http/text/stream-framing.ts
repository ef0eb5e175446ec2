// Framing of `:streamGenerateContent`: server-sent events, unless the client asks for JSON.
// Google's SDKs ask for events by `alt=sse`, the oldest one for a JSON array by
// `$alt=json;enum-encoding=int`.
import type { Framing } from "../../formats/format.ts";

const eventTypes = new Set(["*/*", "text/*", "text/event-stream"]);
const jsonTypes = new Set(["application/*", "application/json"]);

export function googleFraming(query: URLSearchParams, headers: Headers): Framing {
  const alternative = query.get("alt") ?? query.get("$alt");
  if (alternative === "sse") return "events";
  if (alternative !== null && /^json(?:;|$)/.test(alternative)) return "array";
  const accept = headers.get("accept");
  return accept !== null && acceptsOnlyJson(accept) ? "array" : "events";
}

function acceptsOnlyJson(accept: string): boolean {
  const types = accept.split(",").map((range) => range.replace(/;.*$/, "").trim().toLowerCase());
  return types.some((type) => jsonTypes.has(type)) && !types.some((type) => eventTypes.has(type));
}
