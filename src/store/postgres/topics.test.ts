import { expect, test } from "bun:test";
import { ConnectionPool } from "./pool.ts";
import { Topics } from "./topics.ts";

const never = { after: () => () => {}, every: () => () => {} };

test("a change that is told while the one before is being read is read behind it", async () => {
  let version = 1;
  const topics = new Topics({
    gates: new ConnectionPool(1, { url: "", timers: never, statementMsMax: 0 }),
    read: async () => [{ topic: "channels", n: version }],
    timers: never,
    countNodes: async () => 1,
    faulted: () => {},
  });
  const reading = Promise.withResolvers<void>();
  const isRead = Promise.withResolvers<void>();
  const seen: number[] = [];
  topics.watch("channels", async () => {
    seen.push(version);
    isRead.resolve();
    await reading.promise;
  });
  const looked = topics.look();
  await isRead.promise;
  version = 2;
  const again = topics.look();
  reading.resolve();
  await Promise.all([looked, again]);
  expect(seen).toEqual([1, 2]);
  expect(topics.known.get("channels")).toBe(2);
});
