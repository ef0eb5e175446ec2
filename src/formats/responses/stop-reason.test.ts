import { expect, test } from "bun:test";
import { readStop } from "./stop-reason.ts";

const output = { hasOutput: true, hasCalls: false };
const nothing = { hasOutput: false, hasCalls: false };

test("a status that is not known is a stop where there is output, and nobody's filter", () => {
  expect(readStop({ status: "complete" }, output)).toBe("stop");
  expect(readStop({ status: "complete" }, { ...output, hasCalls: true })).toBe("calls");
  expect(readStop({ status: "complete" }, nothing)).toBe("other");
});

test.each(["failed", "cancelled"])("a response that %s has not stopped by itself", (status) => {
  expect(readStop({ status }, output)).toBe("other");
});
