import { expect, test } from "bun:test";
import { encodeUsageRows, usageProgram } from "../../observe/queries.ts";
import type { UsageRow } from "../../observe/usage-log.ts";
import { openPlane, refusal, type Plane } from "../plane.test.ts";
import { listLog, listOwnLog } from "./list.ts";

function toRow(id: string, accountId: string, fields: Partial<UsageRow> = {}): UsageRow {
  return {
    id,
    atMs: 1_700_000_000_123,
    accountId,
    keyId: "key_1",
    keyName: "laptop",
    group: "default",
    route: "/v1/chat/completions",
    model: "chatA",
    channelId: "chn_1",
    channelName: "main",
    status: 200,
    outcome: "ok",
    stream: true,
    inputTokens: 3,
    outputTokens: 4,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
    estimated: false,
    micros: 55,
    latencyMs: 20,
    firstByteMs: 10,
    attempts: 2,
    ip: "10.0.0.1",
    errorCode: null,
    ...fields,
  };
}

async function write({ parts }: Plane, rows: UsageRow[]): Promise<void> {
  await parts.store.writeLog({ program: usageProgram, document: encodeUsageRows(rows) });
}

test("N20 a user sees its own requests, without the channel they went through", async () => {
  await using plane = await openPlane();
  const alice = await plane.person("alice");
  await write(plane, [toRow("req_1", alice.accountId), toRow("req_2", plane.root.accountId)]);
  const log = await listOwnLog(plane.parts, alice, new URLSearchParams());
  expect(log).toEqual({
    items: [
      {
        time: 1_700_000_000.123,
        request_id: "req_1",
        key_id: "key_1",
        key_name: "laptop",
        group: "default",
        route: "/v1/chat/completions",
        model: "chatA",
        status: 200,
        outcome: "ok",
        stream: true,
        input_tokens: 3,
        output_tokens: 4,
        cache_read_tokens: 0,
        cache_write_tokens: 0,
        reasoning_tokens: 0,
        estimated: false,
        micros: 55,
        latency_ms: 20,
        first_byte_ms: 10,
        ip: "10.0.0.1",
        error_code: null,
      },
    ],
    total: 1,
    page: 1,
    page_size: 20,
  });
});

test("A9 a filter for another account does not widen a user's own log", async () => {
  await using plane = await openPlane();
  const alice = await plane.person("alice");
  await write(plane, [toRow("req_2", plane.root.accountId)]);
  for (const query of ["account=root", "key=key_1", "request_id=req_2"]) {
    const log = await listOwnLog(plane.parts, alice, new URLSearchParams(query));
    expect(log.total).toBe(0);
  }
});

test("N20 an admin sees every request with account and channel, and filters them", async () => {
  await using plane = await openPlane();
  const { parts, root } = plane;
  const alice = await plane.person("alice");
  await write(plane, [
    toRow("req_1", alice.accountId, { model: "chatB", status: 500, keyId: "key_2" }),
    toRow("req_2", root.accountId, { atMs: 1_800_000_000_000 }),
  ]);
  const ask = async (query: string) => {
    const { items } = await listLog(parts, root, new URLSearchParams(query));
    return items.map(({ request_id: id }) => id);
  };
  expect(await ask("")).toEqual(["req_2", "req_1"]);
  expect(await ask("account=alice")).toEqual(["req_1"]);
  expect(await ask("model=chatB")).toEqual(["req_1"]);
  expect(await ask("key=key_2")).toEqual(["req_1"]);
  expect(await ask("status=500")).toEqual(["req_1"]);
  expect(await ask("request_id=req_2")).toEqual(["req_2"]);
  expect(await ask("from=1750000000")).toEqual(["req_2"]);
  expect(await ask("to=1750000000")).toEqual(["req_1"]);
  expect(await ask("p=2&page_size=1")).toEqual(["req_1"]);
  expect(await ask("model=%25")).toEqual([]);
  const [row] = (await listLog(parts, root, new URLSearchParams())).items;
  expect(row).toMatchObject({ account: "root", channel: "main", channel_id: "chn_1", attempts: 2 });
});

test("a filter that makes no sense is refused by name", async () => {
  await using plane = await openPlane();
  const ask = (query: string) =>
    refusal(listLog(plane.parts, plane.root, new URLSearchParams(query)));
  expect((await ask("from=yesterday")).param).toBe("from");
  expect((await ask("status=-1")).param).toBe("status");
  expect((await ask("account=nobody")).code).toBe("not_found");
});
