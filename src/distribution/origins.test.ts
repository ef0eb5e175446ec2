import { expect, test } from "bun:test";
import { systemClock } from "../core/clock.ts";
import type { AccountId } from "../core/ids.ts";
import { createDatabase } from "../store/database.ts";
import type { Commit, Store } from "../store/store.ts";
import type { Choice } from "./choose.ts";
import { Origins, type OriginsNeeds } from "./origins.ts";

const account = "acc_1" as AccountId;
const made = { channel: { settings: { id: "chn_1" } }, key: { text: "sk-1" } } as unknown as Choice;

test("what came during a slow commit is written too before all is settled", async () => {
  const commits: Commit[] = [];
  const slow = Promise.withResolvers<void>();
  const store = {
    async commit(commit: Commit) {
      commits.push(commit);
      await slow.promise;
      return [];
    },
  } as unknown as Store;
  const parts = { database: createDatabase(store), clock: systemClock } as OriginsNeeds;
  const origins = new Origins(parts);
  await origins.settled();
  for (const text of ["resp_1", "resp_2", "resp_3"]) origins.remember(account, [text], made);
  const settled = origins.settled();
  slow.resolve();
  await settled;
  // Five values each: the first alone, and then both that waited for it.
  const sizes = commits
    .flatMap(({ statements = [] }) => statements)
    .map((s) => s.parameters.length);
  expect(sizes).toEqual([5, 10]);
});
