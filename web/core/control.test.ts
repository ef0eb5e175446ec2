import { expect, test } from "bun:test";
import { pathOf, type Address, type Answer, type Ask } from "./control.ts";

test("an address has its parameters and its query in it", () => {
  expect(pathOf("GET /api/token/{id}", { id: "a/b" })).toBe("/api/token/a%2Fb");
  const query = { q: "lap", status: "enabled", p: 2, sort: "-used_micros", group: null } as const;
  expect(pathOf("GET /api/token", { query })).toBe(
    "/api/token?q=lap&status=enabled&p=2&sort=-used_micros",
  );
  const all = pathOf("GET /api/announcement", { query: { all: true } });
  expect(all).toBe("/api/announcement?all=true");
});

/** True where the address takes exactly these fields of these types. */
type Takes<At extends Address, Said> =
  Said extends Ask<At>
    ? Exclude<DeepKeys<Said>, DeepKeys<Ask<At>>> extends never
      ? true
      : false
    : false;
type DeepKeys<Of> =
  | keyof Of
  | (Of extends { query?: infer Query } ? keyof NonNullable<Query> : never)
  | (Of extends { body?: infer Body } ? keyof NonNullable<Body> : never);

/** Compiling is the test: another verdict would be another type. */
const takes: [
  Takes<"GET /api/token", { query: { status: "enabled"; sort: "-name" } }>,
  Takes<"PATCH /api/announcement/{id}", { id: string; body: { ends_at: null } }>,
  Takes<"POST /api/token/{id}/rotate", { id: string }>,
] = [true, true, true];

const refuses: [
  Takes<"GET /api/token", { query: { status: "asleep" } }>,
  Takes<"GET /api/token", { query: { stauts: "enabled" } }>,
  Takes<"GET /api/token", { query: { sort: "group" } }>,
  Takes<"GET /api/token/{id}", object>,
  Takes<"POST /api/token", { body: { name: 5 } }>,
  Takes<"PATCH /api/token/{id}", { id: string; body: { limit: 5 } }>,
  Takes<"PATCH /api/announcement/{id}", { id: string; body: { title: null } }>,
  "GET /api/tokens" extends Address ? true : false,
  "limit" extends keyof Answer<"GET /api/token">["items"][number] ? true : false,
] = [false, false, false, false, false, false, false, false, false];

test("what an address takes and what it does not is known to the compiler", () => {
  expect([...takes, ...refuses].filter(Boolean)).toHaveLength(3);
});
