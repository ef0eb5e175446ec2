// Media, addresses, ids and tools wherever a body may have them: each is held for by what it may
// bring, or refused by its name. A token costs a micro, and the window of the model has a million.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Gateway, startGateway } from "../harness/gateway.ts";
import { completion, Vendor, type VendorReply, type VendorRequest } from "../harness/vendor.ts";
import { assertUp } from "./observe.ts";

const usage = { input_tokens: 10, output_tokens: 1, total_tokens: 11 };
const answered = {
  message: {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "m",
    stop_reason: "end_turn",
    content: [{ type: "text", text: "hello" }],
    usage,
  },
  response: {
    id: "resp_1",
    object: "response",
    created_at: 1,
    status: "completed",
    model: "m",
    output: [
      {
        type: "message",
        id: "msg_1",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: "hello", annotations: [] }],
      },
    ],
    usage,
  },
  generated: {
    candidates: [
      { index: 0, content: { role: "model", parts: [{ text: "hello" }] }, finishReason: "STOP" },
    ],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 1, totalTokenCount: 11 },
  },
};

function answer({ path }: VendorRequest, reply: VendorReply): void {
  if (path.includes(":embedContent")) return reply.json({ embedding: { values: [1] } });
  if (path.includes(":batchEmbed")) return reply.json({ embeddings: [{ values: [1] }] });
  if (path.includes("generateContent")) return reply.json(answered.generated);
  if (path.endsWith("/messages")) return reply.json(answered.message);
  if (path.endsWith("/responses")) return reply.json(answered.response);
  reply.json(completion("hello"));
}

const vendor = new Vendor(answer);
let gateway: Gateway;
/** Has a little less than a window, and much more than a picture. */
let poor: { key: string };
let rich: { key: string };

beforeAll(async () => {
  gateway = await startGateway();
  const rows = [
    { type: "openai", models: ["by-chat"] },
    { type: "openai", format: "responses", models: ["by-responses"] },
    { type: "anthropic", models: ["by-messages"] },
    { type: "google", models: ["by-google"] },
  ];
  for (const [at, row] of rows.entries()) {
    await gateway.control("POST", "/api/channel", vendor.channel({ name: `v${at}`, ...row }));
    await gateway.control("POST", "/api/price", {
      model: row.models[0],
      input_micros_per_million: 1_000_000,
      output_micros_per_million: 1_000_000,
    });
  }
  poor = await gateway.customer(900_000);
  rich = await gateway.customer(1_000_000_000);
});

afterAll(async () => {
  await assertUp(gateway);
  await gateway[Symbol.asyncDispose]();
  vendor[Symbol.dispose]();
});

type Wire = "chat" | "responses" | "messages" | "content" | "embed" | "batch";

const addresses: Record<Wire, string> = {
  chat: "/v1/chat/completions",
  responses: "/v1/responses",
  messages: "/v1/messages",
  content: "/v1beta/models/by-google:generateContent",
  embed: "/v1beta/models/by-google:embedContent",
  batch: "/v1beta/models/by-google:batchEmbedContents",
};

interface Asked {
  wire: Wire;
  model?: string;
  fields: object;
}

async function ask({ wire, model, fields }: Asked, key: string): Promise<Response> {
  const plain: Record<Wire, object> = {
    chat: { model: model ?? "by-chat", max_tokens: 1, messages: [{ role: "user", content: "hi" }] },
    responses: { model: model ?? "by-responses", max_output_tokens: 16, input: "hi" },
    messages: {
      model: model ?? "by-messages",
      max_tokens: 1,
      messages: [{ role: "user", content: "hi" }],
    },
    content: {
      contents: [{ role: "user", parts: [{ text: "hi" }] }],
      generationConfig: { maxOutputTokens: 1 },
    },
    embed: {},
    batch: {},
  };
  return await gateway.post(addresses[wire], { ...plain[wire], ...fields }, key);
}

const film = "https://example.com/film.mp4";
const book = "https://example.com/0.pdf";
const pdf = Buffer.from("%PDF-1.4\n1 0 obj").toString("base64");
const gif = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
const both = Buffer.concat([gif, Buffer.from("%PDF-1.4")]).toString("base64");
const said = (...content: object[]) => ({ messages: [{ role: "user", content }] });
const told = (...content: object[]) => ({ messages: [{ role: "assistant", content }] });
const input = (...content: object[]) => ({ input: [{ role: "user", content }] });
const parts = (...list: object[]) => ({ contents: [{ role: "user", parts: list }] });
const picture = (url: string) => said({ type: "image_url", image_url: { url } });
const document = (source: object) => ({ type: "document", source });
const base64 = { type: "base64", media_type: "application/pdf", data: pdf };
const fileData = { fileData: { mimeType: "video/mp4", fileUri: film } };
const fetched = (source: object) =>
  told({
    type: "web_fetch_tool_result",
    tool_use_id: "srvtoolu_1",
    content: { type: "web_fetch_result", url: "https://a.b", content: document(source) },
  });
const boxed = (brand: string) =>
  Buffer.from(`\0\0\0\x10ftyp${brand}\0\0\0\0\0\0\0\x08moov`, "latin1").toString("base64");
const inline = (mimeType: string, data: string) => ({ inlineData: { mimeType, data } });

const longer: [string, Asked][] = [
  ["a film in a picture's place", { wire: "chat", model: "by-google", fields: picture(film) }],
  ["a book in a picture's place", { wire: "chat", model: "by-google", fields: picture(book) }],
  [
    "a film in a picture's source",
    {
      wire: "messages",
      model: "by-google",
      fields: said({ type: "image", source: { type: "url", url: film } }),
    },
  ],
  [
    "a film as an input's picture",
    {
      wire: "responses",
      model: "by-google",
      fields: input({ type: "input_image", image_url: film }),
    },
  ],
  [
    "an address that does not say what it is, where any file is fetched",
    { wire: "chat", model: "by-google", fields: picture("https://example.com/latest") },
  ],
  [
    "an address in a file's data",
    { wire: "chat", fields: said({ type: "file", file: { file_data: book } }) },
  ],
  [
    "an address in the data of sound",
    {
      wire: "chat",
      fields: said({ type: "input_audio", input_audio: { data: film, format: "wav" } }),
    },
  ],
  [
    "an address beside a file's data",
    { wire: "responses", fields: input({ type: "input_file", file_data: "eA==", file_url: book }) },
  ],
  [
    "a film among the instructions",
    { wire: "content", fields: { systemInstruction: { parts: [fileData] } } },
  ],
  [
    "data among the instructions",
    {
      wire: "content",
      fields: { system_instruction: { parts: [inline("application/pdf", pdf)] } },
    },
  ],
  [
    "a film in a function's response",
    {
      wire: "content",
      fields: parts({ functionResponse: { name: "f", response: {}, parts: [fileData] } }),
    },
  ],
  ["a document in a page that was fetched", { wire: "messages", fields: fetched(base64) }],
  [
    "an address in a page that was fetched",
    { wire: "messages", fields: fetched({ type: "url", url: book }) },
  ],
  ...[`DATA:application/pdf;base64,${pdf}`, ` data:application/pdf;base64,${pdf}`].map(
    (url): [string, Asked] => [
      `data spelled ${JSON.stringify(url.slice(0, 6))}`,
      { wire: "chat", fields: picture(url) },
    ],
  ),
  ["data with percent signs", { wire: "chat", fields: picture(`data:application/pdf,%25PDF-1.4`) }],
  ["two files in one", { wire: "chat", fields: picture(`data:image/gif;base64,${both}`) }],
  ...["M4A ", "heis", "avis", "mif1"].map((brand): [string, Asked] => [
    `a film under the brand ${brand.trim()}`,
    { wire: "content", fields: parts(inline("image/heic", boxed(brand))) },
  ]),
  ["a film for an embedding", { wire: "embed", fields: { content: { parts: [fileData] } } }],
  [
    "a document for embeddings",
    {
      wire: "batch",
      fields: { requests: [{ content: { parts: [inline("application/pdf", pdf)] } }] },
    },
  ],
  [
    "a part of a type that is not known",
    { wire: "chat", fields: said({ type: "hologram", hologram: { kind: "new" } }) },
  ],
  ["an address in a field that is not known", { wire: "chat", fields: { scene: { of: [film] } } }],
];

describe.each(longer)("%s may be as long as the window", (_, asked) => {
  test("so that a wallet with less is refused, and nothing is sent", async () => {
    const before = vendor.requests.length;
    const refused = await ask(asked, poor.key);
    expect([refused.status, await refused.text()]).toEqual([402, expect.stringContaining("quota")]);
    expect(vendor.requests.length).toBe(before);
  });

  test("and a wallet with more is served", async () => {
    const served = await ask(asked, rich.key);
    expect([served.status, await served.text()]).toEqual([200, expect.any(String)]);
  });
});

const search = { type: "web_search_20250305", name: "web_search" };
const store = { type: "file_search", vector_store_ids: ["vs_x"] };
const skill = { type: "skill_reference", skill_id: "skill_x" };

const refusals: [string, Asked][] = [
  [
    "messages.0.content.0.content.content.source.file_id",
    { wire: "messages", fields: fetched({ type: "file", file_id: "file_x" }) },
  ],
  [
    "messages.0.content.0.content.content.0.file_id",
    {
      wire: "messages",
      fields: told({
        type: "bash_code_execution_tool_result",
        tool_use_id: "srvtoolu_1",
        content: {
          type: "bash_code_execution_result",
          content: [{ type: "bash_code_execution_output", file_id: "file_x" }],
        },
      }),
    },
  ],
  [
    "extra_body.google.cached_content",
    { wire: "chat", fields: { extra_body: { google: { cached_content: "cachedContents/x" } } } },
  ],
  [
    "google.cached_content",
    { wire: "chat", fields: { google: { cached_content: "cachedContents/x" } } },
  ],
  [
    "contents.0.parts.0.fileData.file_uri",
    { wire: "content", fields: parts({ fileData: { fileUri: film, file_uri: "files/x" } }) },
  ],
  [
    "contents.0.parts.0.file_data",
    {
      wire: "content",
      fields: parts({ fileData: { fileUri: film }, file_data: { fileUri: "files/x" } }),
    },
  ],
  [
    "tools.0.file_search",
    { wire: "content", fields: { tools: [{ fileSearch: {}, file_search: {} }] } },
  ],
  [
    "tools.0.fileSearch.file_search_store_names",
    {
      wire: "content",
      fields: {
        tools: [{ fileSearch: { fileSearchStoreNames: [], file_search_store_names: [] } }],
      },
    },
  ],
  [
    "generationConfig.imageConfig.image_size",
    {
      wire: "content",
      fields: { generationConfig: { imageConfig: { imageSize: "1K", image_size: "4K" } } },
    },
  ],
  [
    "tools.0.environment.skills.0.skill_id",
    {
      wire: "responses",
      fields: {
        tools: [{ type: "shell", environment: { type: "container_auto", skills: [skill] } }],
      },
    },
  ],
  [
    "tools.0.tools.0.vector_store_ids.0",
    { wire: "responses", fields: { tools: [{ type: "namespace", name: "n", tools: [store] }] } },
  ],
  ...["files/x1", "https://generativelanguage.googleapis.com/v1beta/files/x1"].map(
    (url): [string, Asked] => [
      "messages.0.content.0.image_url.url",
      { wire: "chat", model: "by-google", fields: picture(url) },
    ],
  ),
  [
    "messages.0.content.0.source.url",
    {
      wire: "messages",
      model: "by-google",
      fields: said({ type: "image", source: { type: "url", url: "files/x1" } }),
    },
  ],
  [
    "input.0.content.0.image_url",
    {
      wire: "responses",
      model: "by-google",
      fields: input({ type: "input_image", image_url: "files/x1" }),
    },
  ],
  [
    "content.parts.0.fileData.fileUri",
    {
      wire: "embed",
      fields: { content: { parts: [{ fileData: { fileUri: "files/x1" } }] } },
    },
  ],
];

test.each(refusals)("what stands in %s is refused by that name, and not sent", async (...row) => {
  const [param, asked] = row;
  const before = vendor.requests.length;
  const refused = await ask(asked, rich.key);
  const text = await refused.text();
  expect([refused.status, text]).toEqual([400, expect.stringContaining(param)]);
  expect(vendor.requests.length).toBe(before);
});

const called: [string, Asked][] = [
  [
    "inside a namespace",
    {
      wire: "responses",
      fields: { tools: [{ type: "namespace", name: "n", tools: [{ type: "web_search" }] }] },
    },
  ],
  [
    "among the changes of a summary",
    {
      wire: "messages",
      fields: told({
        type: "compaction",
        content: "so far",
        tool_changes: [
          { type: "tool_addition", tool: { type: "tool_definition", definition: search } },
        ],
      }),
    },
  ],
];

test.each(called)("a search %s is held for as one in `tools` is", async (_, asked) => {
  const refused = await ask(asked, poor.key);
  expect([refused.status, await refused.text()]).toEqual([402, expect.any(String)]);
  expect((await ask(asked, rich.key)).status).toBe(200);
});

describe("text that begins with the letters of a picture is text", () => {
  const words = Buffer.from(`GIF8 ${"word ".repeat(60_000)}`).toString("base64");
  const url = `data:text/plain;base64,${words}`;
  const bodies: [string, Asked][] = [
    ["inline data", { wire: "content", fields: parts(inline("text/plain", words)) }],
    ["a file", { wire: "chat", fields: said({ type: "file", file: { file_data: url } }) }],
    [
      "an input's file",
      { wire: "responses", fields: input({ type: "input_file", file_data: url }) },
    ],
  ];
  test.each(bodies)("as %s it is held for by its bytes", async (_, asked) => {
    const some = await gateway.customer(300_000);
    expect((await ask(asked, some.key)).status).toBe(402);
    expect((await ask(asked, rich.key)).status).toBe(200);
  });
});

describe("who is honest pays nothing for it", () => {
  const png =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const bodies: [string, Asked][] = [
    ["a picture", { wire: "chat", fields: picture(`data:image/png;base64,${png}`) }],
    ["a picture's address", { wire: "chat", fields: picture("https://example.com/latest") }],
    [
      "a picture's address by its ending, where any file is fetched",
      { wire: "chat", model: "by-google", fields: picture("https://example.com/a.png") },
    ],
    ["inline data", { wire: "content", fields: parts(inline("image/png", png)) }],
    [
      "addresses in what a model reads as text",
      {
        wire: "messages",
        fields: {
          messages: [
            { role: "user", content: film },
            {
              role: "assistant",
              content: [{ type: "tool_use", id: "toolu_1", name: "look", input: { url: film } }],
            },
            {
              role: "user",
              content: [{ type: "tool_result", tool_use_id: "toolu_1", content: book }],
            },
          ],
        },
      },
    ],
    [
      "fields that are new",
      { wire: "responses", fields: { depth: { kind: "new", of: ["words", 1] } } },
    ],
  ];
  test.each(bodies)("%s is held for as a picture or text", async (_, asked) => {
    const some = await gateway.customer(10_000);
    const served = await ask(asked, some.key);
    expect([served.status, await served.text()]).toEqual([200, expect.any(String)]);
  });
});
