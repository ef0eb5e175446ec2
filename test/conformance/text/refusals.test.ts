// Refusals before a vendor is asked, on the route of every format and in its envelope.
import { describe, expect, test } from "bun:test";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { balanceOf } from "../../harness/books.ts";
import { rootKey, startGateway } from "../../harness/gateway.ts";
import { Vendor, type VendorScript } from "../../harness/vendor.ts";
import { answers, refuses } from "../../harness/wires.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";

const vendor = kept(new Vendor(answers("chat", "Hello.")));
const bodyBytesMax = 20_000;

const gateway = useStand(() =>
  startGateway({
    config: JSON.stringify({
      channels: [vendor.channel({ models: ["chatA"] })],
      server: { text_body_bytes_max: bodyBytesMax },
      distribution: { failures_to_eject: 1_000_000 },
    }),
  }),
);

const embeds: VendorScript = (_request, reply) =>
  reply.json({ object: "list", data: [{ object: "embedding", index: 0, embedding: [1] }] });

type Envelope = "a" | "messages" | "google";

interface Row {
  path: string;
  envelope: Envelope;
  body(text: string): object;
}

const contents = (text: string) => ({ contents: [{ role: "user", parts: [{ text }] }] });
const paid: readonly Row[] = [
  { path: "/v1/responses", envelope: "a", body: (input) => ({ model: "chatA", input }) },
  { path: "/v1/responses/compact", envelope: "a", body: (input) => ({ model: "chatA", input }) },
  {
    path: "/v1/messages",
    envelope: "messages",
    body: (content) => ({ model: "chatA", max_tokens: 100, messages: [{ role: "user", content }] }),
  },
  { path: "/v1beta/models/chatA:generateContent", envelope: "google", body: contents },
  { path: "/v1beta/models/chatA:streamGenerateContent", envelope: "google", body: contents },
  {
    path: "/v1beta/models/chatA:streamGenerateContent?alt=sse",
    envelope: "google",
    body: contents,
  },
  { path: "/v1/embeddings", envelope: "a", body: (input) => ({ model: "chatA", input }) },
];
const free: readonly Row[] = [
  {
    path: "/v1/messages/count_tokens",
    envelope: "messages",
    body: (content) => ({ model: "chatA", messages: [{ role: "user", content }] }),
  },
  {
    path: "/v1/responses/input_tokens",
    envelope: "a",
    body: (input) => ({ model: "chatA", input }),
  },
  { path: "/v1beta/models/chatA:countTokens", envelope: "google", body: contents },
];
const named = (rows: readonly Row[]) => rows.map((row) => [row.path, row] as const);

interface Expected {
  status: number;
  type?: string;
  code: string;
  word: string;
}

/** The error is in the envelope of its route, whole. */
async function expectRefusal(response: Response, row: Row, expected: Expected): Promise<void> {
  const { status, type = "invalid_request_error", code, word } = expected;
  expect([row.path, response.status]).toEqual([row.path, status]);
  const { error, ...rest } = (await response.json()) as { error: Record<string, unknown> };
  expect(error).toMatchObject({ type, code, message: expect.any(String) });
  const id = response.headers.get("x-request-id");
  expect(rest).toEqual(row.envelope === "messages" ? { type: "error", request_id: id } : {});
  expect(error["status"]).toBe(row.envelope === "google" ? word : undefined);
}

describe("too little money", () => {
  test.each(named(paid))("Q1 %s is a 402, and nothing is sent", async (_path, row) => {
    const before = vendor.requests.length;
    const poor = await gateway.customer(3);
    const response = await gateway.post(row.path, row.body("Hello?"), poor.key);
    expect(response.headers.get("x-should-retry")).toBe("false");
    await expectRefusal(response, row, {
      status: 402,
      type: "insufficient_quota",
      code: "insufficient_user_quota",
      word: "FAILED_PRECONDITION",
    });
    expect(vendor.requests).toHaveLength(before);
    expect(await balanceOf(gateway, poor.id)).toMatchObject({
      quota_micros: 3,
      held_micros: 0,
      used_micros: 0,
    });
  });

  test("Q1 of a key alone says so, on every route", async () => {
    const before = vendor.requests.length;
    const { key } = await gateway.customer(1_000_000_000, { quota_micros: 3 });
    for (const row of paid) {
      const response = await gateway.post(row.path, row.body("Hello?"), key);
      await expectRefusal(response, row, {
        status: 402,
        type: "insufficient_quota",
        code: "insufficient_quota",
        word: "FAILED_PRECONDITION",
      });
    }
    expect(vendor.requests).toHaveLength(before);
  });
});

test("Q2 a request that the vendor refuses or fails costs nothing, on every route", async () => {
  const { id, key } = await gateway.customer(1_000_000_000);
  for (const status of [400, 500]) {
    vendor.script = refuses("chat", status, "No.");
    for (const row of paid) {
      const response = await gateway.post(row.path, row.body("Hello?"), key);
      expect([row.path, response.status]).toEqual([row.path, status]);
      await response.text();
    }
  }
  vendor.script = answers("chat", "Hello.");
  expect(await balanceOf(gateway, id)).toMatchObject({ held_micros: 0, used_micros: 0 });
});

test("Q3 past its limit a key is told to wait, in every envelope", async () => {
  for (const row of paid) {
    const { key } = await gateway.customer(1_000_000_000, { requests_per_minute: 1 });
    await (await gateway.post(row.path, row.body("Hello?"), key)).text();
    const response = await gateway.post(row.path, row.body("Hello?"), key);
    expect(Number(response.headers.get("retry-after"))).toBeWithin(1, 61);
    await expectRefusal(response, row, {
      status: 429,
      type: "rate_limit_error",
      code: "rate_limit_exceeded",
      word: "RESOURCE_EXHAUSTED",
    });
  }
});

describe.each(named([...paid, ...free]))("a body for %s", (_path, row) => {
  async function post(
    body: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    return await fetch(gateway.url + row.path, {
      method: "POST",
      headers: {
        authorization: `Bearer ${rootKey}`,
        "content-type": "application/json",
        ...headers,
      },
      body,
    });
  }

  test("Q5 that is too large is a 413", async () => {
    const text = JSON.stringify(row.body("x".repeat(bodyBytesMax)));
    await expectRefusal(await post(text), row, {
      status: 413,
      code: "request_body_too_large",
      word: "INVALID_ARGUMENT",
    });
  });

  test("Q5 that is no JSON, or no object, is a 400", async () => {
    for (const text of ["{", "[1]", "null", '{"a":1', "\xff"]) {
      await expectRefusal(await post(text), row, {
        status: 400,
        code: "invalid_request",
        word: "INVALID_ARGUMENT",
      });
    }
  });

  test("X-M21 that is packed is unpacked first", async () => {
    vendor.script = row.path === "/v1/embeddings" ? embeds : answers("chat", "Hello.");
    const bytes = Buffer.from(JSON.stringify(row.body("Packed words.")));
    for (const [encoding, packed] of [
      ["gzip", gzipSync(bytes)],
      ["deflate", deflateSync(bytes)],
    ] as const) {
      const response = await post(Buffer.from(packed), { "content-encoding": encoding });
      expect([encoding, response.status]).toEqual([encoding, 200]);
      await response.text();
      const isPaid = paid.includes(row);
      if (isPaid) expect(vendor.requests.at(-1)?.text).toContain("Packed words.");
    }
  });

  test("X-M21 that is packed small and is large is a 413, and a broken one a 400", async () => {
    const bomb = gzipSync(Buffer.from(JSON.stringify(row.body("x".repeat(5_000_000)))));
    expect(bomb.length).toBeLessThan(bodyBytesMax);
    const before = vendor.requests.length;
    const gzip = { "content-encoding": "gzip" };
    await expectRefusal(await post(Buffer.from(bomb), gzip), row, {
      status: 413,
      code: "request_body_too_large",
      word: "INVALID_ARGUMENT",
    });
    const bytes = gzipSync(Buffer.from(JSON.stringify(row.body("Hello?"))));
    for (const broken of [Buffer.from("no gzip"), bytes.subarray(0, bytes.length - 9)]) {
      await expectRefusal(await post(Buffer.from(broken), gzip), row, {
        status: 400,
        code: "invalid_request",
        word: "INVALID_ARGUMENT",
      });
    }
    expect(vendor.requests).toHaveLength(before);
  });

  test("Q5 in any other encoding is a 415", async () => {
    const bytes = Buffer.from(JSON.stringify(row.body("Hello?")));
    for (const encoding of ["br", "zstd", "gzip, gzip", "x-none"]) {
      const packed = encoding === "br" ? brotliCompressSync(bytes) : bytes;
      const response = await post(Buffer.from(packed), { "content-encoding": encoding });
      await expectRefusal(response, row, {
        status: 415,
        code: "unsupported_media_type",
        word: "INVALID_ARGUMENT",
      });
    }
  });
});
