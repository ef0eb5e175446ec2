// Drawn diagrams: every file they name is there, and has every function that they call in it.
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "..", "..");
const page = readFileSync(join(root, "docs", "diagrams.md"), "utf8");
const pictures = [...page.matchAll(/^```mermaid\n([^]*?)^```$/gm)].map(([, text = ""]) => text);
const filesIn = (text: string) => text.match(/[\w-]+(?:\/[\w-]+)+\.ts\b/g) ?? [];

/** Calls of a picture: the name that an arrow carries, and the file of the node it leads to. */
function callsIn(picture: string): [call: string, file: string][] {
  const nodes = new Map<string, string>();
  const declared = /(?:participant (\w+) as |(\w+)\["[^"]*?<br\/>)([\w/-]+\.ts)/g;
  for (const [, participant, node, file = ""] of picture.matchAll(declared)) {
    nodes.set(participant ?? node ?? "", file);
  }
  const messages = picture.matchAll(/->>(\w+): (\w+)\(\)|"(\w+)\(\)" \.?-+> (\w+)/g);
  return [...messages].map(([, to, call, named, node]) => [
    call ?? named ?? "",
    nodes.get(to ?? node ?? "") ?? "",
  ]);
}

test("there are six diagrams", () => {
  expect(pictures.length).toBe(6);
});

test("every file of a diagram is there", () => {
  const missing = pictures.flatMap(filesIn).filter((file) => !existsSync(join(root, "src", file)));
  expect(missing).toEqual([]);
});

test("every call of a diagram is of a function that its file has", () => {
  const calls = pictures.flatMap(callsIn);
  expect(calls.length).toBeGreaterThan(12);
  for (const [call, file] of calls) {
    const has = file !== "" && readFileSync(join(root, "src", file), "utf8").includes(`${call}(`);
    expect([call, file, has]).toEqual([call, file, true]);
  }
});
