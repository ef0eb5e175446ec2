import { expect, test } from "bun:test";
import { join } from "node:path";

test("no two pages of the menu share an icon", async () => {
  const text = await Bun.file(join(import.meta.dir, "index.ts")).text();
  const entries = [...text.matchAll(/name: "\w+",\s+icon: "(\w+)",[^{}]*?part: "(\w+)"/g)];
  const icons = entries.filter(([, , part]) => part !== "none").map(([, icon]) => icon);
  expect(icons.length).toBeGreaterThan(20);
  expect(icons).toEqual([...new Set(icons)]);
});
