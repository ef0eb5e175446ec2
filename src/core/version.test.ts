import { expect, test } from "bun:test";
import manifest from "../../package.json" with { type: "json" };
import { version } from "./version.ts";

test("the program's version is its package's", () => {
  expect(version).toBe(manifest.version);
});
