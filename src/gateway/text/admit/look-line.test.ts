import { expect, test } from "bun:test";
import { LookLine } from "./look-line.ts";

const limits = { atOnceMax: 2, waitingMax: 4, waitingOfAccountMax: 2 };

/** Looks that end when they are told to, in the order in which they began. */
function setUp() {
  const line = new LookLine(limits);
  const begun: { accountId: string; end(): void }[] = [];
  const look = (accountId: string) =>
    line.run(accountId, () => {
      const { promise, resolve } = Promise.withResolvers<string>();
      begun.push({ accountId, end: () => resolve(accountId) });
      return promise;
    });
  return { line, begun, look };
}

test("two look at once, and no two of one account", async () => {
  const { begun, look } = setUp();
  const all = [look("a"), look("a"), look("b"), look("c")];
  await Bun.sleep(0);
  expect(begun.map(({ accountId }) => accountId)).toEqual(["a", "b"]);
  begun[1]?.end();
  await Bun.sleep(0);
  expect(begun.map(({ accountId }) => accountId)).toEqual(["a", "b", "c"]);
  begun[0]?.end();
  await Bun.sleep(0);
  expect(begun.map(({ accountId }) => accountId)).toEqual(["a", "b", "c", "a"]);
  for (const { end } of begun) end();
  expect(await Promise.all(all)).toEqual(["a", "a", "b", "c"]);
});

test("a flood of one account takes no place from the others", async () => {
  const { begun, look, line } = setUp();
  const flood = Array.from({ length: 1000 }, () => look("flood"));
  const honest = look("honest");
  await Bun.sleep(0);
  expect(begun.map(({ accountId }) => accountId)).toEqual(["flood", "honest"]);
  expect(line.waitingCount).toBe(2);
  begun[1]?.end();
  expect(await honest).toBe("honest");
  for (let at = 0; at < begun.length; at++) {
    begun[at]?.end();
    await Bun.sleep(0);
  }
  const looked = (await Promise.all(flood)).filter((one) => one !== null);
  expect(looked).toHaveLength(3);
});

test("a look that fails gives its place on", async () => {
  const line = new LookLine({ ...limits, atOnceMax: 1 });
  const failed = line.run("a", () => Promise.reject(new Error("no")));
  const next = line.run("b", async () => "yes");
  expect(await failed.catch(() => "failed")).toBe("failed");
  expect(await next).toBe("yes");
});
