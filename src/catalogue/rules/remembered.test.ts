import { expect, test } from "bun:test";
import { remembered } from "./remembered.ts";

test("what a name leads to is found once, also where that is nothing", () => {
  const looks: string[] = [];
  const find = remembered((model) => {
    looks.push(model);
    return model === "a" ? null : model.length;
  });
  expect([find("a"), find("a"), find("bb"), find("bb")]).toEqual([null, null, 2, 2]);
  expect(looks).toEqual(["a", "bb"]);
});

test("however many names are asked for, only so many are kept", () => {
  let looks = 0;
  const find = remembered(() => looks++);
  for (let at = 0; at < 3000; at++) find(`m${at}`);
  find("m2999");
  expect(looks).toBe(3000);
  find("m0");
  expect(looks).toBe(3001);
});
