import { expect, test } from "bun:test";
import fc from "fast-check";
import { LogDatabase, usageRow } from "../fixtures/log-database.ts";
import { listUsage, type UsageFilter } from "../listing/queries.ts";
import { LiveLog, passes } from "./live-log.ts";

const someRow = fc
  .record({
    account_id: fc.constantFrom("acc_1", "acc_2"),
    group_name: fc.constantFrom("g", "h"),
    route: fc.constantFrom("/v1/chat/completions", "/v1/messages"),
    outcome: fc.constantFrom("ok" as const, "rejected" as const, "client_abort" as const),
    stream: fc.constantFrom(0 as const, 1 as const),
    error_code: fc.constantFrom(null, "bad_response"),
    attempts: fc.nat(3),
    latency_ms: fc.nat(30),
    micros: fc.nat(30),
    at_ms: fc.integer({ min: 1000, max: 1030 }),
  })
  .map((fields) => usageRow(fields));

const someFilter: fc.Arbitrary<UsageFilter> = fc.record(
  {
    accountId: fc.constantFrom("acc_1", "acc_2"),
    keyIds: fc.constantFrom(["key_1"], ["key_2"], ["key_1", "key_2"]),
    model: fc.constantFrom("chat-a", "chat-b"),
    channelId: fc.constantFrom("chn_1", "chn_2"),
    status: fc.constantFrom(200, 500),
    group: fc.constantFrom("g", "h"),
    routes: fc.constantFrom(["/v1/messages"], ["/v1/messages", "/v1/chat/completions"]),
    outcome: fc.constantFrom("ok", "rejected"),
    isFailed: fc.boolean(),
    isStream: fc.boolean(),
    errorCode: fc.constant("bad_response"),
    attemptsMin: fc.nat(3),
    latencyMinMs: fc.nat(30),
    microsMin: fc.nat(30),
    fromMs: fc.integer({ min: 1000, max: 1030 }),
    toMs: fc.integer({ min: 1000, max: 1031 }),
  },
  { requiredKeys: [] },
);

test("a row passes just where the log itself would find it", () => {
  fc.assert(
    fc.property(someRow, someFilter, (row, filter) => {
      using database = new LogDatabase();
      database.insert(row);
      const rows = database.list(listUsage(filter, { limit: 2, offset: 0 }));
      expect(passes(row, filter)).toBe(rows.length === 1);
    }),
  );
});

test("who has stopped is told of nothing more", () => {
  const live = new LiveLog();
  const ids: string[] = [];
  const stop = live.follow({ filter: {}, push: ({ id }) => ids.push(id), end() {} });
  live.tell(usageRow({ id: "req_1" }));
  stop();
  live.tell(usageRow({ id: "req_2" }));
  expect(ids).toEqual(["req_1"]);
});
