// A refusal by a budget, in every envelope: which budget, how much of how much, and when it starts
// anew.
import { beforeAll, describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../src/core/json.ts";
import { chatBody } from "../../harness/ask.ts";
import { balanceOf, logRow } from "../../harness/books.ts";
import { startGateway } from "../../harness/gateway.ts";
import { useStand } from "../../harness/nodes/stand.ts";

const priceMicros = 1000;
const gateway = useStand(() =>
  startGateway({
    config: JSON.stringify({ prices: [{ model: "chatA", call_micros: priceMicros }] }),
  }),
);

let key = "";
let account = "";

interface Customer {
  id: string;
  key: string;
}

async function bounded(fields: object): Promise<Customer> {
  const customer = await gateway.customer(1_000_000_000);
  const whole = { account: customer.id, limit_micros: priceMicros };
  await gateway.control("POST", "/api/budget", { ...whole, ...fields });
  return customer;
}

beforeAll(async () => {
  ({ id: account, key } = await bounded({ name: "the team's" }));
  const served = await gateway.post("/v1/chat/completions", chatBody("chatA"), key);
  expect(served.status).toBe(200);
  await served.text();
});

const contents = [{ role: "user", parts: [{ text: "Hi" }] }];
const messages = { messages: [{ role: "user", content: "Hi" }], max_tokens: 9 };
const bedrock = { ...messages, anthropic_version: "bedrock-2023-05-31" };
const picture = { prompt: "A fox" };
const film = { model: "videoB-2", prompt: "A fox" };

const a = ({ error }: JsonObject) => error;
const itself = (body: JsonObject) => body;

/** Path, body, and where its envelope has the error. */
const asked: [path: string, body: object, errorIn: (body: JsonObject) => unknown][] = [
  ["/v1/chat/completions", chatBody("chatA"), a],
  ["/v1/chat/completions", chatBody("chatA", { stream: true }), a],
  ["/v1/completions", { model: "chatA", prompt: "Hi" }, a],
  ["/v1/completions", { model: "chatA", prompt: "Hi", stream: true }, a],
  ["/v1/responses", { model: "chatA", input: "Hi" }, a],
  ["/v1/responses", { model: "chatA", input: "Hi", stream: true }, a],
  ["/v1/messages", { model: "chatA", ...messages }, a],
  ["/v1/messages", { model: "chatA", ...messages, stream: true }, a],
  ["/v1beta/models/chatA:generateContent", { contents }, a],
  ["/v1beta/models/chatA:streamGenerateContent", { contents }, a],
  ["/v1beta/models/chatA:streamGenerateContent?alt=sse", { contents }, a],
  ["/model/chatA/invoke", bedrock, itself],
  ["/model/chatA/invoke-with-response-stream", bedrock, itself],
  ["/v1/embeddings", { model: "embedA", input: "Hi" }, a],
  ["/v1/images/generations", { model: "imageA-2", ...picture }, a],
  ["/v1/images/generations", { model: "imageA-2", ...picture, stream: true }, a],
  ["/v1/images/generations/async", { model: "imageA-2", ...picture }, a],
  ["/v1/videos", film, a],
  ["/v1/video/generations", film, a],
  ["/videoE/v1/videos/text2video", { model_name: "videoE-v1", prompt: "A fox" }, itself],
  ["/imgF/submit/imagine", picture, a],
];

function nextMonth(): string {
  const now = new Date();
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
  return first.toISOString().slice(0, 10);
}

describe("a spent budget", () => {
  test.each(asked.map(([path, body, errorIn]) => [path, JSON.stringify(body), errorIn] as const))(
    "Q13 refuses %s %s with 402, in the words of its envelope",
    async (path, text, errorIn) => {
      const response = await gateway.post(path, JSON.parse(text), key);
      const body = (await response.clone().json()) as JsonObject;
      const message =
        'The budget "the team\'s" is spent: $0.001 of $0.001. ' +
        `It starts anew on ${nextMonth()} 00:00 UTC.`;
      expect([response.status, response.headers.get("retry-after")]).toEqual([402, null]);
      expect(errorIn(body)).toMatchObject({ message });
      expect(JSON.stringify(body)).toContain("budget_exceeded");
      expect(await logRow(gateway, response)).toMatchObject({
        status: 402,
        error_code: "budget_exceeded",
        error_message: message,
        outcome: "rejected",
      });
    },
  );

  test("Q13 refuses a frame of a socket with an event", async () => {
    const url = gateway.url.replace("http", "ws");
    const headers = { authorization: `Bearer ${key}` };
    const socket = new WebSocket(`${url}/v1/responses`, { headers } as never);
    const told = new Promise<JsonObject>((resolve, reject) => {
      socket.onmessage = ({ data }) => resolve(JSON.parse(String(data)));
      socket.onerror = () => reject(new Error("the socket failed"));
    });
    socket.onopen = () =>
      socket.send(JSON.stringify({ type: "response.create", model: "chatA", input: "Hi" }));
    expect(await told).toMatchObject({
      type: "error",
      status: 402,
      error: { code: "budget_exceeded", param: "the team's" },
    });
    socket.close();
  });

  test("Q13 is not what a request without a price for it is refused by", async () => {
    const counted = await gateway.post(
      "/v1/messages/count_tokens",
      { model: "chatA", ...messages },
      key,
    );
    expect(counted.status).toBe(200);
    expect(await balanceOf(gateway, account)).toMatchObject({ held_micros: 0 });
  });
});

describe("a hard budget", () => {
  test("Q13 says what is left, what is held, and what the request can cost", async () => {
    const customer = await bounded({ name: "prepaid", mode: "hard", limit_micros: 2500 });
    for (let at = 0; at < 2; at++) {
      const served = await gateway.post("/v1/chat/completions", chatBody("chatA"), customer.key);
      expect(served.status).toBe(200);
      await served.text();
    }
    const refused = await gateway.post("/v1/chat/completions", chatBody("chatA"), customer.key);
    expect(await refused.text()).toContain(
      'The budget \\"prepaid\\" has $0.0005 left of $0.0025, and the request can cost up to ' +
        "$0.001. It starts anew on ",
    );
  });
});

test("Q13 a budget of a zone starts anew by the clock of that zone", async () => {
  const customer = await bounded({ name: "fiscal", zone: "Asia/Shanghai", limit_micros: 0 });
  const refused = await gateway.post("/v1/chat/completions", chatBody("chatA"), customer.key);
  const state = (await (await gateway.get("/v1/budget", customer.key)).json()) as {
    data: { resets_at: number }[];
  };
  const there = new Date(((state.data[0]?.resets_at ?? 0) + 8 * 3600) * 1000).toISOString();
  expect(await refused.text()).toContain(
    `It starts anew on ${there.slice(0, 10)} 00:00 Asia/Shanghai.`,
  );
});

describe("retry-after", () => {
  test("Q13 is told within the hour alone", async () => {
    const hours = { period: "hours", hours: 1, hours_from: "first_use", limit_micros: 0 };
    const customer = await bounded({ name: "the hour's", ...hours });
    const refused = await gateway.post("/v1/chat/completions", chatBody("chatA"), customer.key);
    const seconds = Number(refused.headers.get("retry-after"));
    expect(seconds).toBeGreaterThan(3000);
    expect(seconds).toBeLessThanOrEqual(3600);
    const forever = await bounded({ name: "once", period: "forever", limit_micros: 0 });
    const last = await gateway.post("/v1/chat/completions", chatBody("chatA"), forever.key);
    expect(last.headers.get("retry-after")).toBeNull();
    expect(await last.text()).toContain('The budget \\"once\\" is spent: $0.00 of $0.00."');
  });
});
