import { expect, test } from "bun:test";
import { encodeRecords } from "../../observe/queries.ts";
import { usageRow } from "../../observe/fixtures/log-database.ts";
import type { UsageRecord } from "../../observe/usage-row.ts";
import { asked } from "../fixtures/asked.ts";
import { openPlane, refusal, type Plane } from "../fixtures/control-plane.ts";
import { logCalls } from "./contract.ts";
import { listLog, listOwnLog } from "./list.ts";

function toRow(id: string, account_id: string, fields: Partial<UsageRecord> = {}): UsageRecord {
  return usageRow({
    id,
    account_id,
    at_ms: 1_700_000_000_123,
    key_name: "laptop",
    route: "/v1/chat/completions",
    model: "chatA",
    channel_name: "main",
    input_tokens: 3,
    output_tokens: 4,
    cache_read_tokens: 0,
    cache_write_tokens: 0,
    reasoning_tokens: 0,
    images: 1,
    media_ms: 2500,
    micros: 55,
    latency_ms: 20,
    first_byte_ms: 10,
    ip: "10.0.0.1",
    error_code: null,
    task_id: null,
    ...fields,
  });
}

async function write({ control }: Plane, rows: UsageRecord[]): Promise<void> {
  await control.store.writeLog({ documents: [encodeRecords(rows)] });
}

test("N20 a user sees its own requests, without the channel they went through", async () => {
  await using plane = await openPlane();
  const alice = await plane.person("alice");
  await write(plane, [toRow("req_1", alice.accountId), toRow("req_2", plane.root.accountId)]);
  const log = await listOwnLog(plane.control, alice, asked(logCalls.listOwn));
  expect(log).toEqual({
    items: [
      {
        time: 1_700_000_000.123,
        request_id: "req_1",
        kind: "request",
        task_id: null,
        key_id: "key_1",
        key_name: "laptop",
        group: "default",
        route: "/v1/chat/completions",
        format: "chat",
        model: "chatA",
        asked_model: null,
        served_model: null,
        replay_of: null,
        label: null,
        status: 200,
        outcome: "ok",
        stream: true,
        input_tokens: 3,
        output_tokens: 4,
        cache_read_tokens: 0,
        cache_write_tokens: 0,
        reasoning_tokens: 0,
        images: 1,
        seconds: 2.5,
        estimated: false,
        micros: 55,
        latency_ms: 20,
        first_byte_ms: 10,
        ip: "10.0.0.1",
        error_code: null,
        error_message: null,
      },
    ],
    total: 1,
    page: 1,
    page_size: 20,
    sum: expect.objectContaining({ requests: 1, micros: 55, is_exact: true }),
    total_is_exact: true,
    next: null,
  });
});

test("A9 a filter for another account does not widen a user's own log", async () => {
  await using plane = await openPlane();
  const alice = await plane.person("alice");
  await write(plane, [toRow("req_2", plane.root.accountId)]);
  for (const query of ["account=root", "key=key_1", "request_id=req_2"]) {
    const log = await listOwnLog(plane.control, alice, asked(logCalls.listOwn, query));
    expect(log.total).toBe(0);
  }
});

test("N20 an admin sees every request with account and channel, and filters them", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  const alice = await plane.person("alice");
  await write(plane, [
    toRow("req_1", alice.accountId, { model: "chatB", status: 500, key_id: "key_2" }),
    toRow("req_2", root.accountId, { at_ms: 1_800_000_000_000 }),
  ]);
  const ask = async (query: string) => {
    const { items } = await listLog(control, root, asked(logCalls.list, query));
    return items.map(({ request_id: id }) => id);
  };
  expect(await ask("")).toEqual(["req_2", "req_1"]);
  expect(await ask("account=alice")).toEqual(["req_1"]);
  expect(await ask("model=chatB")).toEqual(["req_1"]);
  expect(await ask("key=key_2")).toEqual(["req_1"]);
  expect(await ask("channel=chn_1")).toEqual(["req_2", "req_1"]);
  expect(await ask("channel=chn_2")).toEqual([]);
  expect(await ask("status=500")).toEqual(["req_1"]);
  expect(await ask("request_id=req_2")).toEqual(["req_2"]);
  expect(await ask("from=1750000000")).toEqual(["req_2"]);
  expect(await ask("to=1750000000")).toEqual(["req_1"]);
  expect(await ask("from=2023-11-14&to=2023-11-15")).toEqual(["req_1"]);
  expect(await ask("from=2023-11-15")).toEqual(["req_2"]);
  expect(await ask("p=2&page_size=1")).toEqual(["req_1"]);
  expect(await ask("model=%25")).toEqual([]);
  const [row] = (await listLog(control, root, asked(logCalls.list))).items;
  expect(row).toMatchObject({ account: "root", channel: "main", channel_id: "chn_1", attempts: 2 });
});

test("a filter that makes no sense is refused by name", async () => {
  await using plane = await openPlane();
  const list = async (query: string) =>
    await listLog(plane.control, plane.root, asked(logCalls.list, query));
  const ask = (query: string) => refusal(list(query));
  for (const moment of ["yesterday", "2023-02-30", "1e9", "-1"]) {
    expect((await ask(`from=${moment}`)).param).toBe("from");
  }
  for (const cursor of ["x", "x-1", "1-", "1-req_'"]) {
    expect((await ask(`cursor=${cursor}`)).param).toBe("cursor");
  }
  expect((await ask("p=501")).param).toBe("p");
  expect((await ask("status=-1")).param).toBe("status");
  expect((await ask("account=nobody")).code).toBe("not_found");
});

test("N20 the cursor of a page leads to the next one, and at last to none", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  const ids = ["req_1", "req_2", "req_3", "req_4", "req_5"];
  await write(
    plane,
    ids.map((id) => toRow(id, root.accountId)),
  );
  const seen: string[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const query = asked(
      logCalls.list,
      cursor ? `page_size=2&p=400&cursor=${cursor}` : "page_size=2",
    );
    const page: Awaited<ReturnType<typeof listLog>> = await listLog(control, root, query);
    seen.push(...page.items.map(({ request_id: id }) => id));
    expect(page.total).toBe(5);
    cursor = page.next;
  }
  expect(seen).toEqual(ids.toReversed());
});
