// Makes a data folder to keep, for the upgrade tests of versions to come:
//   bun test/deploy/make-folder.ts <name> [main.ts of another version]
// It ends by SIGKILL right behind an answer, so its journal has what its database has not got yet.
import { join } from "node:path";
import { balanceOf } from "../harness/books.ts";
import { Folder } from "../harness/folder.ts";
import { startProcess } from "../harness/gateway.ts";
import { completion, Vendor } from "../harness/vendor.ts";
import { keptFolders, type KeptBook } from "./kept-folder.ts";

const [name = "", entry] = process.argv.slice(2);
if (!/^[\w.-]+$/.test(name)) throw new Error("name what is made, as in: 0.2.0");
const options = entry === undefined ? {} : { entry };

using folder = new Folder();
using vendor = new Vendor((_request, reply) => reply.json(completion("Yes.")));
const fields = { name: "kept", models: ["kept-model"], key: "sk-vendor-kept-0123" };
const ask = { model: "kept-model", messages: [{ role: "user", content: "Is it kept?" }] };
let book: KeptBook = { key: "", keyId: "", accountId: "", quota_micros: 0, used_micros: 0 };
{
  await using gateway = await startProcess({ folder: folder.path, ...options });
  await gateway.control("POST", "/api/channel", vendor.channel(fields));
  await gateway.control("POST", "/api/price", { model: "kept-model", call_micros: 700 });
  const customer = await gateway.customer(1_000_000, { quota_micros: 500_000 });
  book = { ...book, key: customer.key, keyId: customer.keyId, accountId: customer.id };
  const { status } = await gateway.post("/v1/chat/completions", ask, customer.key);
  if (status !== 200) throw new Error(`the first request was answered with ${status}`);
  await gateway.stop();
}
{
  await using gateway = await startProcess({ folder: folder.path, ...options });
  // So that nothing can be taken over between the answer and the end.
  const before = await balanceOf(gateway, book.accountId);
  for (let count = 0; count < 3; count++) {
    const { status } = await gateway.post("/v1/chat/completions", ask, book.key);
    if (status !== 200) throw new Error(`a request was answered with ${status}`);
  }
  await gateway.kill();
  book.quota_micros = before.quota_micros - 3 * 700;
  book.used_micros = before.used_micros + 3 * 700;
}
const archive = join(keptFolders, `${name}.tar.gz`);
const kept = ["secret", "sluice.db", "log.db", "journal-a.log", "journal-b.log"];
const beside = [...new Bun.Glob("*-wal").scanSync({ cwd: folder.path })];
const done = Bun.spawnSync(["tar", "czf", archive, "-C", folder.path, ...kept, ...beside]);
if (!done.success) throw new Error(done.stderr.toString());
await Bun.write(join(keptFolders, `${name}.json`), `${JSON.stringify(book, null, 2)}\n`);
