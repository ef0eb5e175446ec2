// Open windows of budgets whose limit an earlier version moved: explained where the audit log has
// the raises, else told of by a notice and corrected on request.
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../harness/books.ts";
import { runCommand } from "../harness/command.ts";
import { Folder } from "../harness/folder.ts";
import { startGateway, type Gateway } from "../harness/gateway.ts";
import { keepOnFiles } from "../harness/postgres.ts";
import { rowsOf } from "../harness/rows.ts";
import { keptFolders } from "./kept-folder.ts";

setDefaultTimeout(60_000);

type Budgets = Readonly<Record<"moved" | "raised" | "both" | "plain", string>>;

const config = 'sandbox: "off"\nnotices: { check_seconds: 1 }';
const folder = new Folder();

afterAll(() => folder[Symbol.dispose]());

async function limitsOf(gateway: Gateway, budgets: Budgets): Promise<number[]> {
  const limits = Object.values(budgets).map(async (id) => {
    const path = `/api/budget/${id}/window`;
    const { items } = await gateway.control<{ items: { limit_micros: number }[] }>("GET", path);
    return items[0]?.limit_micros ?? -1;
  });
  return await Promise.all(limits);
}

interface Told {
  kind: string;
  text: string;
}

async function windowNotices(gateway: Gateway): Promise<Told[]> {
  const { items } = await gateway.control<{ items: Told[] }>("GET", "/api/notice");
  return items.filter(({ kind }) => kind === "window_limit");
}

/** The one that nothing explains is told of, and has the right limit once that is asked for. */
async function correctsTheMoved(gateway: Gateway, budgets: Budgets): Promise<void> {
  const [notice, ...others] = await eventually("the notice", async () => {
    const notices = await windowNotices(gateway);
    return notices.length > 0 ? notices : undefined;
  });
  expect(others).toEqual([]);
  expect(notice?.text).toContain("has a limit of $0.005 instead of $0.004");
  expect(notice?.text).toContain(`sluice budget correct ${budgets.moved}`);
  const verified = await runCommand(gateway, "ledger", "verify");
  expect(verified.code).toBe(1);
  expect(verified.out + verified.error).toContain(budgets.moved);
  expect(verified.out + verified.error).not.toContain(budgets.raised);
  const { code } = await runCommand(gateway, "budget", "correct", "moved");
  expect(code).toBe(0);
  expect(await limitsOf(gateway, budgets)).toEqual([4000, 11_000, 12_000, 3000]);
  expect(await runCommand(gateway, "ledger", "verify")).toMatchObject({ code: 0 });
}

test("the folder of a version that moved limits opens, and tells which nothing explains", async () => {
  using old = new Folder();
  keepOnFiles(old.path);
  const archive = join(keptFolders, "budgets", "2026-11-19.tar.gz");
  expect(Bun.spawnSync(["tar", "xzf", archive, "-C", old.path]).success).toBe(true);
  const book = readFileSync(join(keptFolders, "budgets", "2026-11-19.json"), "utf8");
  const { budgets } = JSON.parse(book) as { budgets: Budgets };
  await using gateway = await startGateway({ folder: old.path, isOnFiles: true, config });
  expect(await limitsOf(gateway, budgets)).toEqual([5000, 11_000, 12_000, 3000]);
  await correctsTheMoved(gateway, budgets);
});

test("windows that a node of such a version made are explained by the next start", async () => {
  let budgets: Budgets;
  {
    await using gateway = await startGateway({ folder: folder.path, config });
    const customer = await gateway.customer(1_000_000);
    const make = async (name: string, changes: [verb: "PATCH" | "raise", limit: number][]) => {
      const fields = { name, account: customer.id, limit_micros: 3000, mode: "hard" };
      const { id } = await gateway.control<{ id: string }>("POST", "/api/budget", fields);
      // So that there is a row.
      await gateway.control("POST", `/api/budget/${id}/raise`, { limit_micros: 3000 });
      for (const [verb, limit_micros] of changes) {
        if (verb === "raise")
          await gateway.control("POST", `/api/budget/${id}/raise`, { limit_micros });
        else await gateway.control("PATCH", `/api/budget/${id}`, { limit_micros });
      }
      return id;
    };
    budgets = {
      moved: await make("moved", [["PATCH", 4000]]),
      raised: await make("raised", [
        ["raise", 9000],
        ["PATCH", 5000],
      ]),
      both: await make("both", [
        ["raise", 9000],
        ["PATCH", 1000],
        ["raise", 7000],
        ["PATCH", 6000],
      ]),
      plain: await make("plain", []),
    };
    const parts = "budget_micros = null, carried_micros = null, raised_micros = null";
    await rowsOf(gateway, `update cap set ${parts} where id <> '' returning id`);
    const moved = `update cap set limit_micros = 5000 where budget_id = '${budgets.moved}' returning id`;
    expect(await rowsOf(gateway, moved)).toHaveLength(1);
    await gateway.stop();
  }
  await using gateway = await startGateway({ folder: folder.path, config });
  expect(await limitsOf(gateway, budgets)).toEqual([5000, 11_000, 12_000, 3000]);
  await correctsTheMoved(gateway, budgets);
});
