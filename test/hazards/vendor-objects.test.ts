// Objects that a vendor keeps for the account that all customers share: nobody reaches another
// one's by id.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Gateway, startGateway } from "../harness/gateway.ts";
import { completion, Vendor, type VendorReply, type VendorRequest } from "../harness/vendor.ts";
import { assertUp } from "./observe.ts";

const usage = { input_tokens: 10, output_tokens: 20, total_tokens: 30 };
const made = { container: "cntr_made", file: "cfile_made" };
const containedMessage = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "m",
  content: [
    { type: "text", text: "hello" },
    {
      type: "code_execution_tool_result",
      tool_use_id: "srv_1",
      content: { type: "code_execution_result", content: [{ file_id: "file_made" }] },
    },
  ],
  container: { id: "container_made", expires_at: "2030-01-01T00:00:00Z" },
  stop_reason: "end_turn",
  usage: { input_tokens: 10, output_tokens: 20 },
};
const response = {
  id: "resp_1",
  object: "response",
  created_at: 1_790_000_000,
  status: "completed",
  model: "m",
  output: [
    {
      type: "code_interpreter_call",
      id: "ci_1",
      container_id: made.container,
      status: "completed",
    },
    {
      type: "message",
      id: "msg_1",
      role: "assistant",
      status: "completed",
      content: [
        {
          type: "output_text",
          text: "hello",
          annotations: [
            {
              type: "container_file_citation",
              container_id: made.container,
              file_id: made.file,
              start_index: 0,
              end_index: 1,
            },
          ],
        },
      ],
    },
  ],
  usage,
};
const generated = {
  candidates: [
    { index: 0, content: { role: "model", parts: [{ text: "hello" }] }, finishReason: "STOP" },
  ],
  usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 20, totalTokenCount: 30 },
};

const audio = { id: "audio_made", data: "", transcript: "hello", expires_at: 1_800_000_000 };
const spoken = {
  ...completion("hello"),
  choices: [{ index: 0, message: { role: "assistant", audio }, finish_reason: "stop" }],
};

function answer({ path, body }: VendorRequest, reply: VendorReply): void {
  if (path.includes("generateContent")) return reply.json(generated);
  if (path.endsWith("/messages")) return reply.json(containedMessage);
  if (!path.endsWith("/responses")) return reply.json(spoken);
  if (body["stream"] !== true) return reply.json(response);
  reply.stream();
  reply.event({ type: "response.completed", sequence_number: 0, response });
  return reply.end();
}

const vendor = new Vendor(answer);
let gateway: Gateway;
let one: { key: string };
let other: { key: string };

beforeAll(async () => {
  gateway = await startGateway();
  const rows = [
    { type: "openai", models: ["chatA"] },
    { type: "openai", format: "responses", models: ["chatA-mini"] },
    { type: "anthropic", models: ["chatB"] },
    { type: "google", models: ["chatC"] },
    { type: "openai", models: ["chatD"], allow_objects: true },
  ];
  for (const [at, row] of rows.entries()) {
    await gateway.control("POST", "/api/channel", vendor.channel({ name: `v${at}`, ...row }));
  }
  one = await gateway.customer(1_000_000_000);
  other = await gateway.customer(1_000_000_000);
});

afterAll(async () => {
  await assertUp(gateway);
  await gateway[Symbol.asyncDispose]();
  vendor[Symbol.dispose]();
});

type Wire = "chat" | "responses" | "messages" | "content";

const paths: Record<Wire, string> = {
  chat: "/v1/chat/completions",
  responses: "/v1/responses",
  messages: "/v1/messages",
  content: "/v1beta/models/chatC:generateContent",
};

function bodyOf(wire: Wire, fields: object): object {
  switch (wire) {
    case "chat":
      return { model: "chatA", messages: [{ role: "user", content: "hi" }], ...fields };
    case "responses":
      return { model: "chatA-mini", input: "hi", ...fields };
    case "messages":
      return {
        model: "chatB",
        max_tokens: 50,
        messages: [{ role: "user", content: "hi" }],
        ...fields,
      };
    case "content":
      return { contents: [{ role: "user", parts: [{ text: "hi" }] }], ...fields };
  }
}

async function ask(wire: Wire, fields: object, key = one.key): Promise<Response> {
  return await gateway.post(paths[wire], bodyOf(wire, fields), key);
}

const said = (...content: object[]) => ({ messages: [{ role: "user", content }] });
const input = (...content: object[]) => ({ input: [{ role: "user", content }] });
const parts = (...list: object[]) => ({ contents: [{ role: "user", parts: list }] });
const tools = (tool: object) => ({ tools: [tool] });

const foreign: [Wire, param: string, fields: object][] = [
  [
    "chat",
    "messages.0.content.0.file.file_id",
    said({ type: "file", file: { file_id: "file-x" } }),
  ],
  ["responses", "input.0.content.0.file_id", input({ type: "input_file", file_id: "file-x" })],
  ["responses", "input.0.content.0.file_id", input({ type: "input_image", file_id: "file-x" })],
  ["responses", "prompt", { prompt: { id: "pmpt_x" } }],
  ["responses", "tools.0.container", tools({ type: "code_interpreter", container: "cntr_x" })],
  [
    "responses",
    "tools.0.container.file_ids.0",
    tools({ type: "code_interpreter", container: { type: "auto", file_ids: ["file-x"] } }),
  ],
  [
    "responses",
    "tools.0.vector_store_ids.0",
    tools({ type: "file_search", vector_store_ids: ["vs_x"] }),
  ],
  [
    "responses",
    "tools.0.environment.container_id",
    tools({ type: "shell", environment: { type: "container_reference", container_id: "cntr_x" } }),
  ],
  [
    "responses",
    "input.0.container_id",
    { input: [{ type: "code_interpreter_call", id: "ci_1", container_id: "cntr_x", code: "1" }] },
  ],
  [
    "responses",
    "input.0.environment.container_id",
    {
      input: [
        {
          type: "shell_call",
          call_id: "c_1",
          action: {},
          environment: { type: "container_reference", container_id: "cntr_x" },
        },
      ],
    },
  ],
  [
    "chat",
    "messages.0.audio.id",
    {
      messages: [
        { role: "assistant", audio: { id: "audio_x" } },
        { role: "user", content: "?" },
      ],
    },
  ],
  ["messages", "container", { container: "container_x" }],
  ["messages", "container.id", { container: { id: "container_x" } }],
  [
    "messages",
    "container.skills.0.skill_id",
    { container: { skills: [{ type: "custom", skill_id: "skill_x" }] } },
  ],
  [
    "messages",
    "messages.0.content.0.source.file_id",
    said({ type: "document", source: { type: "file", file_id: "file_x" } }),
  ],
  [
    "messages",
    "messages.0.content.0.file_id",
    said({ type: "container_upload", file_id: "file_x" }),
  ],
  ["content", "cachedContent", { cachedContent: "cachedContents/x" }],
  ["content", "cachedContent", { cached_content: "cachedContents/x" }],
  [
    "content",
    "tools.0.fileSearch.fileSearchStoreNames.0",
    tools({ file_search: { file_search_store_names: ["fileSearchStores/x"] } }),
  ],
  [
    "content",
    "tools.0.retrieval.vertexRagStore.ragResources.0.ragCorpus",
    tools({ retrieval: { vertexRagStore: { ragResources: [{ ragCorpus: "projects/x" }] } } }),
  ],
  [
    "content",
    "tools.0.retrieval.vertexAiSearch.datastore",
    tools({ retrieval: { vertex_ai_search: { datastore: "projects/x" } } }),
  ],
  ...["files/x", "gs://bucket/x", "https://generativelanguage.googleapis.com/v1beta/files/x"].map(
    (fileUri): [Wire, string, object] => [
      "content",
      "contents.0.parts.0.fileData.fileUri",
      parts({ fileData: { fileUri, mimeType: "application/pdf" } }),
    ],
  ),
];

test.each(foreign)(
  "over %s an id in %s that was never got here is refused, and not sent",
  async (wire, param, fields) => {
    const before = vendor.requests.length;
    const refused = await ask(wire, fields);
    const text = await refused.text();
    expect([refused.status, text]).toEqual([400, expect.stringContaining(param)]);
    expect(vendor.requests.length).toBe(before);
  },
);

test("what anybody may fetch is no object of the vendor's", async () => {
  const picture = { fileData: { mimeType: "image/png", fileUri: "https://images.example/a.png" } };
  expect((await ask("content", parts(picture))).status).toBe(200);
  const film = { fileData: { fileUri: "https://www.youtube.com/watch?v=1" } };
  expect((await ask("content", parts(film))).status).toBe(200);
  const url = { type: "image", source: { type: "url", url: "https://images.example/a.png" } };
  expect((await ask("messages", said(url))).status).toBe(200);
});

describe("what a reply has brought", () => {
  const contained = tools({ type: "code_interpreter", container: made.container });
  const file = input({ type: "input_file", file_id: made.file });

  test.each([false, true])(
    "may be named by who got it, and by nobody else: streamed %p",
    async (stream) => {
      const mine = await gateway.customer(1_000_000_000);
      expect((await ask("responses", contained, mine.key)).status).toBe(400);
      await (await ask("responses", { stream }, mine.key)).text();
      const again = await ask("responses", contained, mine.key);
      expect([again.status, await again.text()]).toEqual([200, expect.any(String)]);
      expect((await ask("responses", file, mine.key)).status).toBe(200);
      expect((await ask("responses", contained, other.key)).status).toBe(400);
    },
  );

  test("holds for containers that a call of the past is told with", async () => {
    const mine = await gateway.customer(1_000_000_000);
    const [call] = response.output;
    await (await ask("responses", {}, mine.key)).text();
    expect((await ask("responses", { input: [call] }, mine.key)).status).toBe(200);
    expect((await ask("responses", { input: [call] }, other.key)).status).toBe(400);
  });

  test("holds for what was spoken", async () => {
    const mine = await gateway.customer(1_000_000_000);
    const messages = [
      { role: "assistant", audio: { id: "audio_made" } },
      { role: "user", content: "?" },
    ];
    expect((await ask("chat", { messages }, mine.key)).status).toBe(400);
    await (await ask("chat", {}, mine.key)).text();
    expect((await ask("chat", { messages }, mine.key)).status).toBe(200);
    expect((await ask("chat", { messages }, other.key)).status).toBe(400);
  });

  test("holds for containers and files of the other wire too", async () => {
    const mine = await gateway.customer(1_000_000_000);
    const container = { container: "container_made" };
    const upload = said({ type: "container_upload", file_id: "file_made" });
    expect((await ask("messages", container, mine.key)).status).toBe(400);
    await (await ask("messages", {}, mine.key)).text();
    expect((await ask("messages", container, mine.key)).status).toBe(200);
    expect((await ask("messages", upload, mine.key)).status).toBe(200);
    expect((await ask("messages", container, other.key)).status).toBe(400);
  });
});

test("a channel that is open to objects gets them, and only such a one", async () => {
  const named = said({ type: "file", file: { file_id: "file-x" } });
  expect((await ask("chat", { ...named, model: "chatD" })).status).toBe(200);
  expect(vendor.requests.at(-1)?.text).toContain("file-x");
  // Another channel of the model is passed over.
  const extra = vendor.channel({ name: "closed", models: ["chatD"], priority: 100 });
  await gateway.control("POST", "/api/channel", extra);
  const before = vendor.requests.length;
  for (let at = 0; at < 5; at++) {
    expect((await ask("chat", { ...named, model: "chatD" })).status).toBe(200);
  }
  expect(vendor.requests.length).toBe(before + 5);
});
