import { expect, test } from "bun:test";
import { FewAtOnce } from "./few-at-once.ts";
import { refusal } from "./fixtures/control-plane.ts";

/** Work that ends when it is told to. */
function openWork() {
  const gates: PromiseWithResolvers<void>[] = [];
  const started = () => gates.length;
  async function work(): Promise<void> {
    const gate = Promise.withResolvers<void>();
    gates.push(gate);
    await gate.promise;
  }
  return { gates, started, work };
}

test("some run, some wait for their turn, the rest is refused", async () => {
  const few = new FewAtOnce({ runningMax: 2, waitingMax: 3 });
  const { gates, started, work } = openWork();
  const taken = Array.from({ length: 5 }, () => few.run(work));
  expect(started()).toBe(2);
  expect((await refusal(few.run(work))).code).toBe("overloaded");
  gates[0]?.resolve();
  await taken[0];
  expect(started()).toBe(3);
  for (let at = 1; at < 5; at++) {
    gates[at]?.resolve();
    await taken[at];
  }
  expect(started()).toBe(5);
});

test("work that fails gives its place on like any other", async () => {
  const few = new FewAtOnce({ runningMax: 1, waitingMax: 1 });
  const failing = few.run(() => Promise.reject(new Error("no")));
  const after = few.run(async () => "yes");
  expect(await failing.catch((error: Error) => error.message)).toBe("no");
  expect(await after).toBe("yes");
  expect(await few.run(async () => "again")).toBe("again");
});
