// Checks that run beside the tests: format, lint, types, and beside all tests the planted faults.
import { join } from "node:path";
import { root } from "./files.ts";

export interface Check {
  name: string;
  command: readonly string[];
}

const bun = process.execPath;
const oxlint = join(root, "node_modules", ".bin", "oxlint");

export const checks: readonly Check[] = [
  { name: "format", command: [bun, "fmt", "--no-script", "--check", "."] },
  { name: "lint", command: [oxlint, "--deny-warnings"] },
  { name: "types", command: [bun, "check", "--no-script"] },
  { name: "types of web", command: [bun, "check", "--no-script", "-p", "web"] },
  {
    name: "types of the tests of web",
    command: [bun, "check", "--no-script", "-p", "web/tsconfig.test.json"],
  },
];

/** Faults that are planted in a copy, each of which the tests have to find. */
export const plantedFaults: Check = {
  name: "planted faults",
  command: [bun, join(root, "test", "planted", "main.ts")],
};
