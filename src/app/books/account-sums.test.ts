import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../core/clock.ts";
import { SqliteConnection } from "../../store/sqlite/connection.ts";
import { mainFile, mainVersions } from "../../store/sqlite/open.ts";
import { readAccountSums } from "./account-sums.ts";

const nowMs = systemClock.nowMs();

class BookFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), "sluice-books-"));
  readonly #connection = new SqliteConnection({ path: join(this.path, mainFile) });

  constructor() {
    this.#connection.migrate(mainVersions());
    this.#run(`insert into account (id, username, password_hash, role, group_name, status,
      created_at_ms) values ('acc_1', 'one', '', 'user', 'g', 'enabled', 0)`);
    this.#run(`insert into ledger_account (account_id, unlimited, granted_micros, available_micros,
      held_micros, spent_micros) values ('acc_1', 0, 1000, 900, 0, 100)`);
  }

  enter(id: string, kind: "grant" | "post" | "void", micros: number, atMs: number): void {
    this.#run(`insert into entry (id, kind, account_id, held_micros, micros, loss_micros, at_ms)
      values ('${id}', '${kind}', 'acc_1', ${kind === "void" ? 7 : 0}, ${micros}, 0, ${atMs})`);
  }

  [Symbol.dispose](): void {
    this.#connection.close();
    rmSync(this.path, { recursive: true });
  }

  #run(sql: string): void {
    this.#connection.commit([], [{ sql, parameters: [] }], false);
  }
}

test("what is known of old lines and what came since are what all lines come to", async () => {
  using folder = new BookFolder();
  const source = { databaseUrl: null, dataFolder: folder.path };
  const hourMs = 3_600_000;
  folder.enter("g1", "grant", 1000, nowMs - 9 * hourMs);
  folder.enter("p1", "post", 30, nowMs - 8 * hourMs);
  folder.enter("p2", "post", 20, nowMs - 1000);
  const first = await readAccountSums(source, "acc_1", null);
  expect(first?.old.kinds).toMatchObject({ grant: { count: 1 }, post: { count: 1, micros: 30 } });
  folder.enter("v1", "void", 0, nowMs);
  folder.enter("p3", "post", 50, nowMs);
  const again = await readAccountSums(source, "acc_1", first?.old ?? null);
  const afresh = await readAccountSums(source, "acc_1", null);
  expect(again?.sums).toEqual(afresh?.sums ?? expect.unreachable());
  expect(again?.sums).toMatchObject({
    grants: { count: 1, micros: 1000 },
    posts: { count: 3, micros: 100 },
    voids: { count: 1, heldMicros: 7 },
  });
  // The answer is the remembered one: old lines are not read a second time.
  const told = {
    untilMs: nowMs - hourMs - 1,
    kinds: { ...zeroKinds, post: { ...zero, count: 5 } },
  };
  expect((await readAccountSums(source, "acc_1", told))?.sums.posts.count).toBe(7);
  // A clock that was set back makes nothing of it.
  const ahead = { ...told, untilMs: nowMs + hourMs };
  expect((await readAccountSums(source, "acc_1", ahead))?.sums).toEqual(afresh?.sums);
  expect(await readAccountSums(source, "acc_2", null)).toBeNull();
});

const zero = { count: 0, micros: 0, heldMicros: 0, lossMicros: 0 };
const zeroKinds = { grant: zero, post: zero, void: zero };
