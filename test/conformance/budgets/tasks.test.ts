// Tasks under budgets: what they hold and cost is the window's in which they were asked for, also
// when the gateway dies meanwhile; and the books say so.
import { expect, setDefaultTimeout, test } from "bun:test";
import { rmSync } from "node:fs";
import type { JsonObject } from "../../../src/core/json.ts";
import { runCommand, type CommandEnd } from "../../harness/command.ts";
import {
  startGateway,
  startProcess,
  temporaryFolder,
  type Gateway,
} from "../../harness/gateway.ts";
import { rowsOf } from "../../harness/rows.ts";
import {
  create,
  idOf,
  quickPolls,
  reaches,
  slowPrompt,
  slowSeconds,
  startVideoVendors,
} from "../../harness/videos.ts";

setDefaultTimeout(60_000);

const prompt = slowPrompt;
const film = { model: "videoB-2", seconds: "4", prompt };
const filmMicros = 400_000;
const other = { model: "videoD-h3", duration: 4, prompt };
const otherMicros = 240_000;

interface Budget {
  id: string;
}

async function windowsOf(gateway: Gateway, { id }: Budget): Promise<object[]> {
  return (await gateway.control<{ items: object[] }>("GET", `/api/budget/${id}/window`)).items;
}

test("Q13 a task's charge is that of its window, though the gateway died in between", async () => {
  const folder = temporaryFolder();
  await using vendors = startVideoVendors();
  const config = `${quickPolls}\n${vendors.config}`;
  const first = await startProcess({ config, folder });
  const { id: account, key } = await first.customer(10_000_000);
  const make = (name: string, fields: object) =>
    first.control<Budget>("POST", "/api/budget", { name, account, ...fields });
  const hard = await make("hard", { mode: "hard", limit_micros: filmMicros + otherMicros - 1 });
  const each = await make("each key", { scope: "key", limit_micros: 1_000_000 });
  const early = idOf(await create(first, film, { key }));
  // Holds count: the second one does not fit beside the first.
  const refused = await create(first, other, { key });
  expect([refused.status, (refused.body["error"] as JsonObject)["code"]]).toEqual([
    402,
    "budget_exceeded",
  ]);
  for (const { id } of [hard, each]) await first.control("POST", `/api/budget/${id}/renew`, {});
  const late = idOf(await create(first, other, { key }));
  await first.kill();
  expect((await runCommand({ folder }, "ledger", "verify")).code).toBe(0);

  await using second = await startGateway({ config, folder });
  expect(await windowsOf(second, hard)).toMatchObject([
    { held_micros: otherMicros, spent_micros: 0 },
    { held_micros: filmMicros, spent_micros: 0 },
  ]);
  vendors.clock.pass(slowSeconds);
  for (const id of [early, late]) await reaches(second, id, "completed", key);
  for (const budget of [hard, each]) {
    expect(await windowsOf(second, budget)).toMatchObject([
      { held_micros: 0, spent_micros: otherMicros },
      { held_micros: 0, spent_micros: filmMicros },
    ]);
  }
  await findsPlanted(folder, hard);
  rmSync(folder, { recursive: true, force: true });
});

/** The command finds a cap that is wrong by one micro, and names what is wrong about it. */
async function findsPlanted(folder: string, { id }: Budget): Promise<void> {
  const verify = (): Promise<CommandEnd> => runCommand({ folder }, "ledger", "verify");
  expect(await verify()).toMatchObject({ code: 0 });
  const planted = {
    spent_micros: "a cap's spent is the sum of the posts that name it",
    held_micros: "a cap's held is the sum of the open holds that name it",
  };
  for (const [column, invariant] of Object.entries(planted)) {
    const add = async (by: number) =>
      await rowsOf(
        { folder },
        `update cap set ${column} = ${column} + ${by}
          where budget_id = '${id}' and closes_at_ms = (select max(closes_at_ms) from cap
            where budget_id = '${id}') returning id`,
      );
    expect(await add(1)).toHaveLength(1);
    const { code, out, error } = await verify();
    expect(code).not.toBe(0);
    expect(out + error).toContain(invariant);
    await add(-1);
  }
  expect(await verify()).toMatchObject({ code: 0 });
}
