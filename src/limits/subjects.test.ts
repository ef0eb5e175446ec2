import { expect, test } from "bun:test";
import { AssertionError } from "../core/assert.ts";
import type { LimitSubject } from "./rule.ts";
import { Subjects } from "./subjects.ts";

function key(id: string): LimitSubject {
  return {
    scope: "key",
    id,
    rule: { requestsPerMinute: 60, tokensPerMinute: 1000, concurrency: null },
  };
}

test("idle subjects are forgotten past the cap, busy ones are kept", () => {
  const subjects = new Subjects(10);
  const busy = subjects.open(key("busy"), 0);
  busy.inFlight = 1;
  const spent = subjects.open(key("spent"), 0);
  spent.requests?.take(1);
  for (let at = 0; at < 100; at++) {
    subjects.trim(0);
    subjects.open(key(`idle ${at}`), 0);
  }
  expect(subjects.size).toBeLessThanOrEqual(11);
  expect(subjects.open(key("busy"), 0)).toBe(busy);
  expect(subjects.open(key("spent"), 0)).toBe(spent);
});

test("a subject that was busy is forgotten once it is full again", () => {
  const subjects = new Subjects(10);
  const spent = subjects.open(key("spent"), 0);
  spent.requests?.take(60);
  for (let at = 0; at < 100; at++) {
    subjects.trim(60_000);
    subjects.open(key(`idle ${at}`), 60_000);
  }
  expect(subjects.open(key("spent"), 60_000)).not.toBe(spent);
});

test("subjects that all owe tokens are bounded by twice the cap", () => {
  const subjects = new Subjects(10);
  for (let at = 0; at < 200; at++) {
    subjects.trim(0);
    subjects.open(key(`debtor ${at}`), 0).tokens?.take(1_000_000);
  }
  expect(subjects.size).toBeLessThanOrEqual(21);
});

test("a subject with a request in flight is never forgotten", () => {
  const subjects = new Subjects(10);
  const states = Array.from({ length: 50 }, (_, at) => {
    const state = subjects.open(key(`busy ${at}`), 0);
    state.inFlight = 1;
    return state;
  });
  for (let round = 0; round < 50; round++) subjects.trim(0);
  states.forEach((state, at) => expect(subjects.open(key(`busy ${at}`), 0)).toBe(state));
});

test("many keys do not push a group out", () => {
  const subjects = new Subjects(10);
  const group = subjects.open({ ...key("all"), scope: "group" }, 0);
  for (let at = 0; at < 100; at++) {
    subjects.trim(0);
    subjects.open(key(`idle ${at}`), 0);
  }
  expect(subjects.open({ ...key("all"), scope: "group" }, 0)).toBe(group);
});

test("tokens spent after a subject was forgotten still count", () => {
  const subjects = new Subjects(10);
  subjects.spend(key("late"), 600, 0);
  expect(subjects.open(key("late"), 0).tokens?.remaining).toBe(400);
});

test("a bucket is refilled before tokens are taken, not after", () => {
  const subjects = new Subjects(10);
  subjects.open(key("a"), 0);
  subjects.spend(key("a"), 500, 60_000);
  expect(subjects.open(key("a"), 60_000).tokens?.remaining).toBe(500);
});

test("a concurrency limit that is not a whole number is a bug", () => {
  for (const concurrency of [-1, 0.5, Number.NaN]) {
    const rule = { requestsPerMinute: null, tokensPerMinute: null, concurrency };
    expect(() => new Subjects(1).open({ scope: "key", id: "a", rule }, 0)).toThrow(AssertionError);
  }
});
