import { expect, test } from "bun:test";
import { findNamedFiles } from "./named-files.ts";

const all = ["src/quota/price.test.ts", "src/quota/prices.test.ts", "test/hazards/keys.test.ts"];

test("a file, a folder and a part of a path are found, in the order of all files", () => {
  const find = (...names: string[]) => findNamedFiles(all, names);
  expect(find("./src/quota/price.test.ts")).toEqual({ files: ["src/quota/price.test.ts"] });
  expect(find("src/quota/")).toEqual({ files: all.slice(0, 2) });
  expect(find("keys", "price")).toEqual({ files: all });
});

test("a name that is in no path gets the nearest ones", () => {
  expect(findNamedFiles(all, ["price", "hazard/kye"])).toMatchObject({
    unknown: "hazard/kye",
    near: expect.arrayContaining(["test/hazards/keys.test.ts"]),
  });
});
