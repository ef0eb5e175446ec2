// Payloads that are put everywhere: addresses, data, ids of a vendor's objects, tools that a vendor
// runs, dear options, and blocks of types that nobody knows.
import { sampleFiles } from "./files.ts";
import type { Json } from "./json.ts";

export interface Payload {
  name: string;
  value: Json;
}

const addresses: Readonly<Record<string, string>> = {
  film: "https://example.com/film.mp4",
  book: "https://example.com/0.pdf",
  picture: "https://example.com/picture.png",
  nameless: "https://example.com/latest?of=today",
  youtube: "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
  bucket: "gs://bucket/film.mp4",
  capitals: "HTTPS://EXAMPLE.COM/FILM.MP4",
  blank: " https://example.com/film.mp4",
  hostOnly: "//example.com/film.mp4",
  escaped: "https:%2F%2Fexample.com%2Ffilm.mp4",
};

const objectIds: Readonly<Record<string, string>> = {
  "openai-file": "file-abc123def456ghi789",
  "anthropic-file": "file_011CNha8iCJcU1wXNR6q4V8w",
  "google-file": "files/abc123def456",
  "google-file-address": "https://generativelanguage.googleapis.com/v1beta/files/abc123def456",
  "google-cache": "cachedContents/abc123def456",
  "vertex-cache": "projects/1/locations/us-central1/cachedContents/123",
  container: "cntr_0123456789abcdef0123456789abcdef",
  "anthropic-container": "container_011CPR5CNjB747bTd36fQLFk",
  store: "vs_0123456789abcdef01234567",
  "google-store": "fileSearchStores/abc123def456",
  skill: "skill_0123456789abcdef01234567",
  prompt: "pmpt_0123456789abcdef01234567",
};

function dataUrls(): Payload[] {
  return sampleFiles.flatMap(({ name, mimeType, bytes }) => {
    const data = bytes.toString("base64");
    const url = `data:${mimeType};base64,${data}`;
    return [
      { name: `data:${name}`, value: url },
      { name: `base64:${name}`, value: data },
      { name: `picture-url:${name}`, value: `data:image/png;base64,${data}` },
    ];
  });
}

/** The same data in spellings that parsers of addresses take, and a careless look does not. */
function oddDataUrls(): Payload[] {
  const files = sampleFiles.filter(({ name }) => name === "pdf" || name === "film");
  return files.flatMap(({ name, mimeType, bytes }) => {
    const data = bytes.toString("base64");
    return [
      { name: `DATA:${name}`, value: `DATA:${mimeType};base64,${data}` },
      { name: `blank-data:${name}`, value: ` data:${mimeType};base64,${data}` },
      {
        name: `escaped-data:${name}`,
        value: `data:${mimeType};base64,${encodeURIComponent(data)}`,
      },
      { name: `percent-data:${name}`, value: `data:${mimeType},${percent(bytes)}` },
      { name: `named-data:${name}`, value: `data:${mimeType};name=a.png;base64,${data}` },
      { name: `comma-data:${name}`, value: `data:image/png,x;base64,${data}` },
    ];
  });
}

function percent(bytes: Buffer): string {
  return Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
}

/** Parts of all wires, each with a text inside that the generator puts there. */
export function mediaBlocks(text: string): readonly Json[] {
  const base64 = { type: "base64", media_type: "application/pdf", data: text };
  return [
    { type: "image_url", image_url: { url: text } },
    { type: "image_url", image_url: text },
    { type: "input_audio", input_audio: { data: text, format: "wav" } },
    { type: "file", file: { file_data: text, filename: "a.pdf" } },
    { type: "file", file: { file_id: text } },
    { type: "video_url", video_url: { url: text } },
    { type: "input_image", image_url: text, detail: "auto" },
    { type: "input_image", file_id: text, detail: "auto" },
    { type: "input_file", file_data: text, filename: "a.pdf" },
    { type: "input_file", file_url: text },
    { type: "input_file", file_data: "eA==", file_url: text, filename: "a.txt" },
    { type: "computer_screenshot", image_url: text },
    { type: "image", source: { type: "url", url: text } },
    { type: "document", source: { type: "url", url: text } },
    { type: "image", source: { ...base64, media_type: "image/png" } },
    { type: "document", source: base64 },
    { type: "document", source: { type: "file", file_id: text } },
    { type: "container_upload", file_id: text },
    { type: "web_fetch_result", url: "x", content: { type: "document", source: base64 } },
    { inlineData: { mimeType: "application/pdf", data: text } },
    { inline_data: { mime_type: "application/pdf", data: text } },
    { fileData: { mimeType: "video/mp4", fileUri: text } },
    { file_data: { mime_type: "video/mp4", file_uri: text } },
    { fileData: { fileUri: "https://example.com/a.png", file_uri: text } },
    { type: "hologram", hologram: { url: text } },
    { type: "hologram", source: { kind: "remote", at: text } },
  ];
}

const searchStore = { type: "file_search", vector_store_ids: ["vs_0123456789abcdef01234567"] };
const skill = { type: "skill_reference", skill_id: "skill_0123456789abcdef01234567" };

const tools: Readonly<Record<string, Json>> = {
  web_search: { type: "web_search" },
  web_search_preview: { type: "web_search_preview" },
  file_search: searchStore,
  code_interpreter: { type: "code_interpreter", container: { type: "auto" } },
  shell: { type: "shell", environment: { type: "container_auto", skills: [skill] } },
  image_generation: { type: "image_generation" },
  mcp: { type: "mcp", server_label: "x", server_url: "https://example.com/mcp" },
  namespace: { type: "namespace", name: "n", description: "d", tools: [{ type: "web_search" }] },
  namespace_of_stores: { type: "namespace", name: "n", description: "d", tools: [searchStore] },
  web_search_20250305: { type: "web_search_20250305", name: "web_search" },
  web_fetch_20250910: { type: "web_fetch_20250910", name: "web_fetch" },
  code_execution_20250825: { type: "code_execution_20250825", name: "code_execution" },
  googleSearch: { googleSearch: {} },
  google_search: { google_search: {} },
  urlContext: { urlContext: {} },
  fileSearch: { fileSearch: { fileSearchStoreNames: ["fileSearchStores/abc123def456"] } },
  fileSearchTwice: {
    fileSearch: { fileSearchStoreNames: [] },
    file_search: { file_search_store_names: ["fileSearchStores/abc123def456"] },
  },
  hosted_by_nobody_known: { type: "teleport", name: "teleport" },
};

/** Objects with options that make an answer dearer, or that say one thing twice. */
const options: Readonly<Record<string, Json>> = {
  imageSize: { imageSize: "4K" },
  imageSizeTwice: { imageSize: "1K", image_size: "4K" },
  boundTwice: { maxOutputTokens: 1, max_output_tokens: 60_000 },
  cache: { google: { cached_content: "cachedContents/abc123def456" } },
  tool_addition: {
    type: "tool_addition",
    tool: {
      type: "tool_definition",
      definition: { type: "web_search_20250305", name: "web_search" },
    },
  },
};

function objectPayloads(): Payload[] {
  const texts: Readonly<Record<string, string>> = {
    ...addresses,
    ...objectIds,
    ...Object.fromEntries(
      sampleFiles.map(({ name, mimeType, bytes }) => [
        `data:${name}`,
        `data:${mimeType};base64,${bytes.toString("base64")}`,
      ]),
    ),
    ...Object.fromEntries(
      sampleFiles.map(({ name, bytes }) => [`base64:${name}`, bytes.toString("base64")]),
    ),
  };
  return Object.entries(texts).flatMap(([name, text]) =>
    mediaBlocks(text).flatMap((block, at) => [
      { name: `block ${at} ${name}`, value: block },
      { name: `list of block ${at} ${name}`, value: [block] },
    ]),
  );
}

function named(values: Readonly<Record<string, Json>>, kind: string): Payload[] {
  return Object.entries(values).flatMap(([name, value]) => [
    { name: `${kind} ${name}`, value },
    { name: `list of ${kind} ${name}`, value: [value] },
  ]);
}

export const textPayloads: readonly Payload[] = [
  ...Object.entries(addresses).map(([name, value]) => ({ name: `address ${name}`, value })),
  ...Object.entries(objectIds).map(([name, value]) => ({ name: `id ${name}`, value })),
  ...dataUrls(),
  ...oddDataUrls(),
];

export const payloads: readonly Payload[] = [
  ...textPayloads,
  ...named(tools, "tool"),
  ...named(options, "option"),
  ...objectPayloads(),
];
