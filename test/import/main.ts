// npm run import-trial: a large database of new-api comes in, and the money is added up on both
// sides. It takes about as long as writing the million rows of log, which an import only counts.
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../harness/command.ts";
import { startProcess, temporaryFolder } from "../harness/gateway.ts";
import { openDatabase } from "../harness/rows.ts";
import { keyOf, LineageDatabase } from "./lineage-database.ts";

const sizes = { users: 1000, keys: 3000, channels: 200, logs: 1_000_000 };
const secondsMax = 60;
const folder = temporaryFolder();
const source = join(folder, "source.db");
const data = join(folder, "data");

function fill(): bigint {
  using database = new LineageDatabase(source, "new-api");
  const hash = Bun.password.hashSync("password", { algorithm: "bcrypt", cost: 4 });
  let units = 0n;
  database.together(() => {
    for (let id = 1; id <= sizes.users; id++) {
      const quota = (id * 7_919) % 10_000_019;
      units += BigInt(quota);
      database.add("users", { id, username: `user${id}`, password: hash, quota });
    }
    for (let id = 1; id <= sizes.keys; id++) {
      const user_id = 1 + (id % sizes.users);
      database.add("tokens", { id, user_id, key: keyOf(id), name: `k${id}`, remain_quota: id });
    }
    for (let id = 1; id <= sizes.channels; id++) {
      const base_url = `https://vendor-${id}.example.com`;
      const row = { type: 1, key: `vendor-${id}`, name: "same", models: `model-${id}`, base_url };
      database.add("channels", row);
    }
    for (let id = 1; id <= sizes.logs; id++) {
      database.add("logs", { user_id: 1 + (id % sizes.users), type: 2, quota: 5, content: "use" });
    }
    database.option("GroupRatio", { default: 1 });
  });
  return units;
}

const units = fill();
mkdirSync(data);
// A gateway that was started once; the import starts it again by itself.
const gateway = await startProcess({ folder: data, config: 'sandbox: "off"' });
await gateway.stop();
const words = ["import", "new-api", "--json", "--from", source] as const;
const begin = performance.now();
const { code, out, error } = await runCommand({ folder: data, isProcess: true }, ...words);
const seconds = (performance.now() - begin) / 1000;
if (code !== 0) throw new Error(`the import failed: ${error || out}`);
const begun = performance.now();
const again = await runCommand({ folder: data, isProcess: true }, ...words);
const secondsAgain = (performance.now() - begun) / 1000;
using books = openDatabase(data);
const text = "select sum(available_micros) as micros, count(*) as accounts from ledger_account";
const sums = books.query<{ micros: number; accounts: number }, []>(text).get();
const isEqual = BigInt(sums?.micros ?? 0) === units * 2n && again.code === 0;
process.stdout.write(
  `${JSON.stringify(sizes)}\nimported in ${seconds.toFixed(1)} s, once more in ` +
    `${secondsAgain.toFixed(1)} s; ${units} units are ${sums?.micros} micros: ` +
    `${isEqual ? "equal" : "NOT EQUAL"}\n`,
);
rmSync(folder, { recursive: true, force: true });
if (!isEqual || seconds > secondsMax) process.exit(1);
