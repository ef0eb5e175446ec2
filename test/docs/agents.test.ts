// The runs that agents.md reports are those of the versions that `npm run agents` has pinned.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "..", "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const [, table = ""] =
  /<!-- runs -->([^]*?)<!-- end of runs -->/.exec(read("docs/agents.md")) ?? [];
const rows = table
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) => line.split("|").map((cell) => cell.trim().replaceAll("`", "")));

test("agents.md has runs of every agent in its pinned version", () => {
  const { dependencies } = JSON.parse(read("test/agents/package.json")) as {
    dependencies: Record<string, string>;
  };
  const shown = new Set(rows.map(([, agent, version]) => `${agent} ${version}`));
  const pinned = Object.entries(dependencies).map((pair) => pair.join(" "));
  expect([...shown].toSorted()).toEqual(pinned.toSorted());
});

test("agents.md has each agent on its own dialect and on all others, and nothing refused", () => {
  const wires = new Set(rows.map(([, agent, , wire]) => `${agent} ${wire}`));
  expect(wires.size).toBe(6);
  for (const wire of wires) {
    const own = rows.filter(([, agent, , its]) => `${agent} ${its}` === wire);
    const ways = own.filter((row) => row[6] === "by hand").map((row) => row[5]);
    expect(ways.toSorted(), wire).toEqual(["converted", "converted", "converted", "native"]);
  }
  for (const [, agent, , , upstream, , , edited = "", , refused] of rows) {
    const [done, all] = edited.split(" of ");
    expect([agent, upstream, done, refused]).toEqual([agent, upstream, all, "0"]);
  }
});
