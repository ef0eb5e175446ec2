// Cases of what stands beside the vendors' own types: fields that other vendors and gateways read,
// and marks of an hour on every object of a body.
import { upstreamKinds, type HoldCase } from "./cases.ts";
import { isObject, placesIn, readAt, withAt, type Json, type JsonObject } from "./json.ts";
import { placesOf, plainBodies, type WireName } from "./wire-places.ts";

const wires: readonly WireName[] = ["chat", "completions", "responses", "messages", "content"];

const picture = { type: "image_url", image_url: { url: "https://example.com/a.png" } };
const seen = { messages: [{ role: "user", content: [picture] }] };

/** Fields with the dearest value that they take. */
const dearFields: Readonly<Record<string, Json>> = {
  model: "o1-pro",
  models: ["o1-pro"],
  fallback_models: ["o1-pro"],
  fallbacks: ["o1-pro"],
  plugins: [{ id: "auto-router", allowed_models: ["o1-pro"] }],
  service_tier: "priority",
  tools: [{ type: "web_search" }],
  web_search: true,
  web_search_options: {},
  enable_web_search: true,
  enable_search: true,
  search_parameters: { mode: "on" },
  enable_code_interpreter: true,
  connectors: [{ id: "web-search" }],
  bot_setting: [{ bot_name: "search" }],
  max_tokens: 16_000,
  max_completion_tokens: 16_000,
  max_output_tokens: 16_000,
  n: 8,
  best_of: 8,
};

const table = `data:text/csv;base64,${Buffer.from("a,b\n1,2\n".repeat(20)).toString("base64")}`;
const page = `data:text/xml;base64,${Buffer.from("<a><b>1</b></a>".repeat(20)).toString("base64")}`;

/** Several fields that cost something together. */
const dearBodies: Readonly<Record<string, JsonObject>> = {
  "thoughts with a budget": { enable_thinking: true, thinking_budget: 38_000 },
  "pictures in full": { vl_high_resolution_images: true, ...seen },
  "a file in a system message": {
    messages: [
      { role: "system", content: "fileid://file-fe-abc123" },
      { role: "user", content: "hi" },
    ],
  },
  "a file among others in a system message": {
    messages: [
      {
        role: "system",
        content: [{ type: "text", text: "fileid://file-fe-1,fileid://file-fe-2" }],
      },
      { role: "user", content: "hi" },
    ],
  },
  "thoughts by their id": { input: [{ type: "reasoning", id: "rs_1", summary: [] }] },
  "a picture by its id": { input: [{ type: "image_generation_call", id: "ig_1" }] },
  "a table as a data URL": {
    contents: [{ parts: [{ inlineData: { mimeType: "text/csv", data: table } }] }],
  },
  "a page as a data URL": {
    contents: [{ parts: [{ inlineData: { mimeType: "text/xml", data: page } }] }],
  },
  "a profile of a user": { user_profile_id: "profile_abc123" },
};

export function* gatewayCases(): Generator<HoldCase> {
  for (const wire of wires) {
    for (const upstream of upstreamKinds) {
      const plain = plainBodies[wire];
      for (const [name, value] of Object.entries(dearFields)) {
        const at = `${wire} ${name}`;
        if (name !== "model") yield { name: at, wire, upstream, body: { ...plain, [name]: value } };
        for (const holder of ["extra_body", "extraBody"]) {
          const body = { ...plain, [holder]: { [name]: value } };
          yield { name: `${at} in ${holder}`, wire, upstream, body };
        }
      }
      for (const [name, fields] of Object.entries(dearBodies)) {
        yield { name: `${wire} ${name}`, wire, upstream, body: { ...plain, ...fields } };
      }
    }
  }
  const body = { ...plainBodies.chat, ...seen };
  yield {
    name: "a small model",
    wire: "chat",
    upstream: "openai-chat",
    model: "gpt-4o-mini",
    body,
  };
}

const hourMark = { type: "ephemeral", ttl: "1h" };
const words = "Cached words. ".repeat(200);

/** A mark of an hour on each object that the vendors' types have, with words that it keeps. */
export function* hourMarkCases(): Generator<HoldCase> {
  const seenPlaces = new Set<string>();
  for (const wire of ["chat", "messages"] as const) {
    const upstream = wire === "chat" ? "openai-chat" : "anthropic";
    for (const { body } of placesOf(wire)) {
      const said = { ...body, messages: withWords(body["messages"]) };
      for (const path of placesIn(said)) {
        const holder = readAt(said, path);
        const key = JSON.stringify([wire, path, isObject(holder) ? holder["type"] : null]);
        if (!isObject(holder) || seenPlaces.has(key)) continue;
        seenPlaces.add(key);
        const marked = withAt(said, [...path, "cache_control"], hourMark);
        if (!isObject(marked)) continue;
        yield { name: `${wire} hour mark at ${path.join(".")}`, wire, upstream, body: marked };
      }
    }
  }
}

function withWords(messages: Json | undefined): Json {
  const said = { role: "user", content: words };
  return Array.isArray(messages) ? [said, ...messages] : [said];
}
