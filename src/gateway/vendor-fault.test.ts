import { expect, test } from "bun:test";
import type { Fault } from "../upstreams/upstream.ts";
import { concealer, toAttempt } from "./vendor-fault.ts";

const key = "plain-words-of-a-key";
const conceal = concealer(key);

test("no field of a refusal has the key in it", () => {
  const said = `it is ${key}`;
  const fault: Fault = {
    blame: "request",
    status: 400,
    type: said,
    code: said,
    param: said,
    message: said,
  };
  const attempt = toAttempt(fault, conceal);
  if (attempt.kind !== "refused") throw new Error("it was not refused");
  const { message, param, shown } = attempt.error;
  const clean = "it is [secret]";
  expect([message, param, shown]).toEqual([
    clean,
    clean,
    { upstreamStatus: 400, type: clean, code: clean },
  ]);
});

test("what is absent stays absent", () => {
  const fault: Fault = {
    blame: "request",
    status: 422,
    type: "t",
    code: null,
    param: null,
    message: "no",
  };
  const attempt = toAttempt(fault, conceal);
  expect(attempt).toMatchObject({ error: { param: null, shown: { type: "t", code: null } } });
});
