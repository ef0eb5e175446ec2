import { expect, test } from "bun:test";
import { StoreError } from "../store.ts";
import { PostgresError, toPostgresError } from "./store-error.ts";

/** The platform's error for a statement that the server refused. */
class Refusal extends Error {
  readonly errno: string;

  constructor(errno: string) {
    super("refused");
    this.errno = errno;
  }
}

const raised = (errno: string) => new Refusal(errno);

test.each([
  ["23505", "constraint"],
  ["23514", "constraint"],
  ["SL409", "conflict"],
  ["53100", "full"],
  ["40P01", "io"],
  ["57P01", "io"],
  ["08006", "io"],
  ["25006", "io"],
  ["42601", "other"],
])("the state %s is of the kind %s", (state, kind) => {
  expect(toPostgresError(raised(state))).toMatchObject({ kind, state });
});

test("without a state the connection is lost, and nobody knows what became of the statement", () => {
  const error = toPostgresError(new Error("connection closed"));
  expect(error).toMatchObject({ kind: "io", isLost: true, isPassing: false });
});

test("what was undone because of others may be tried again, a refusal may not", () => {
  const states = ["40001", "40P01", "23505", "SL409"];
  const errors = states.map((state) => toPostgresError(raised(state)));
  expect(errors.map((error) => error instanceof PostgresError && error.isPassing)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test("what is told in the store's own words stays as it is", () => {
  const error = new StoreError("conflict", "no");
  expect(toPostgresError(error)).toBe(error);
});
