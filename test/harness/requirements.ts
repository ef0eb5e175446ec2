// Tests that need a program which npm does not install. Where it is missing they are skipped, with
// the reason in their names; where SLUICE_TEST_REQUIRE names it, they fail.
import { test } from "bun:test";

type TestFunction = (name: string, body: () => void | Promise<unknown>) => void;

/** SLUICE_TEST_REQUIRE: names with commas between, or "all". */
export function isRequired(requirement: string): boolean {
  const names = (process.env["SLUICE_TEST_REQUIRE"] ?? "").split(",").map((name) => name.trim());
  return names.includes(requirement) || names.includes("all");
}

/** Only `npm run test:all` and the commands beside it change the machine. */
export function isInstallAllowed(): boolean {
  return process.env["SLUICE_TEST_INSTALL"] === "1";
}

/** `test`, where nothing is missing; `missing` says in a sentence why something is. */
export function testNeeding(requirement: string, missing: string | null): TestFunction {
  if (missing === null) return test;
  if (!isRequired(requirement)) {
    return (name, body) => test.skip(`${name} [needs ${requirement}: ${missing}]`, body);
  }
  return (name) =>
    test(name, () => {
      throw new Error(`SLUICE_TEST_REQUIRE names ${requirement}, which is missing: ${missing}`);
    });
}

/** A program that is on the path, or in one of the folders. */
export function missingProgram(name: string, path?: string): string | null {
  const found = path === undefined ? Bun.which(name) : Bun.which(name, { PATH: path });
  return found === null ? `there is no ${name} on this machine` : null;
}
