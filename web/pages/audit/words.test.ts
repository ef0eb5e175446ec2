import { expect, test } from "bun:test";
import { Glob } from "bun";
import { join } from "node:path";
import { language, putWords } from "../../core/words.ts";
import { audit } from "../../languages/zh.ts";
import { t } from "./words.ts";

const root = join(import.meta.dir, "../../../src");

test("the kind of every thing that is noted can be chosen, by a word in each language", async () => {
  const noted = new Set<string>();
  for await (const path of new Glob("**/*.ts").scan(root)) {
    if (path.endsWith(".test.ts")) continue;
    const text = await Bun.file(join(root, path)).text();
    for (const [, kind = ""] of text.matchAll(/action: "([a-z_]+)\.[a-z_]+"/g)) noted.add(kind);
  }
  expect(noted.size).toBeGreaterThan(10);
  putWords("zh", "audit", audit);
  for (const one of ["en", "zh"]) {
    language.value = one;
    expect(Object.keys(t().kinds).toSorted()).toEqual([...noted].toSorted());
  }
  language.value = "en";
});
