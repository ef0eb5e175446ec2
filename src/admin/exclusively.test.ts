import { expect, test } from "bun:test";
import type { Store } from "../store/store.ts";
import { exclusively } from "./exclusively.ts";

// Only its identity matters here: turns belong to a store.
const control = (): { store: Store } => ({
  store: {
    dialect: "sqlite",
    read: async () => [],
    append: async () => {},
    commit: async () => [],
    applied: async () => {},
    logApplied: async () => {},
    readLog: async () => [],
    writeLog: async () => {},
    close: async () => {},
  },
});

test("work of one topic runs one after the other, in the order it came", async () => {
  const plane = control();
  const gate = Promise.withResolvers<void>();
  const seen: string[] = [];
  const first = exclusively(plane, "channels", async () => {
    await gate.promise;
    seen.push("first");
  });
  const second = exclusively(plane, "channels", async () => void seen.push("second"));
  const other = exclusively(plane, "prices", async () => void seen.push("other topic"));
  const elsewhere = exclusively(control(), "channels", async () => void seen.push("other store"));
  await Promise.all([other, elsewhere]);
  gate.resolve();
  await Promise.all([first, second]);
  expect(seen).toEqual(["other topic", "other store", "first", "second"]);
});

test("work that fails tells its own caller and lets the next one run", async () => {
  const plane = control();
  const failing = exclusively(plane, "identity", async () => {
    throw new Error("no");
  });
  const next = exclusively(plane, "identity", async () => "yes");
  await expect(failing).rejects.toThrow("no");
  expect(await next).toBe("yes");
});
