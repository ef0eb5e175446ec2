import { expect, test } from "bun:test";
import type { AttemptNote } from "../attempt-note.ts";
import { LogDatabase, usageRow } from "../fixtures/log-database.ts";
import { forgetAttempts, fromAttemptRow, listAttempts } from "./queries.ts";

function note(fields: Partial<AttemptNote> = {}): AttemptNote {
  return {
    channelId: "chn_1",
    channelName: "first",
    keyLast4: "abcd",
    keyPosition: 1,
    outcome: "failed",
    blame: "load",
    status: 429,
    code: "too_many_requests",
    words: "Slow down.",
    startedMs: 1,
    endedMs: 20,
    vendorRequestId: null,
    model: null,
    ...fields,
  };
}

function attemptsOf(database: LogDatabase, id: string): AttemptNote[] {
  return database.list(listAttempts(id)).map(fromAttemptRow);
}

test("the attempts of a request come back as they went in, and those of no other", () => {
  using database = new LogDatabase();
  const trail = [
    note(),
    note({ outcome: "served", blame: null, status: null, code: null, words: null, startedMs: 21 }),
  ];
  database.insert(usageRow({ trail }), usageRow({ id: "req_b", trail: [note({ endedMs: 3 })] }));
  expect(attemptsOf(database, "req_a")).toEqual(trail);
  expect(attemptsOf(database, "req_b")).toHaveLength(1);
  expect(attemptsOf(database, "req_c")).toEqual([]);
});

test("of very many attempts the last eight are kept, and a thousand characters of words", () => {
  using database = new LogDatabase();
  const trail = Array.from({ length: 40 }, (_, at) =>
    note({ endedMs: at, words: "x".repeat(300) }),
  );
  database.insert(usageRow({ trail }));
  const kept = attemptsOf(database, "req_a");
  expect(kept.map(({ endedMs }) => endedMs)).toEqual([32, 33, 34, 35, 36, 37, 38, 39]);
  const lengths = kept.map(({ words }) => words?.length);
  expect(lengths).toEqual([300, 300, 300, 100, 0, 0, 0, 0]);
});

test("attempts go with the rows that they belong to", () => {
  using database = new LogDatabase();
  database.insert(
    usageRow({ id: "req_old", at_ms: 1000, trail: [note()] }),
    usageRow({ id: "req_new", at_ms: 2000, trail: [note()] }),
  );
  database.change(forgetAttempts(2000));
  expect(attemptsOf(database, "req_old")).toEqual([]);
  expect(attemptsOf(database, "req_new")).toHaveLength(1);
});

test("attempts are found and forgotten by an index", () => {
  using database = new LogDatabase();
  expect(database.plan(listAttempts("req_a"))).toContain("attempt_log_id");
  expect(database.plan(forgetAttempts(1))).toContain("attempt_log_at");
});
