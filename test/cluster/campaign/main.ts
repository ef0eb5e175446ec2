// npm run cluster-crash [minutes]: four nodes under load, killed, frozen and cut off, and their
// database stopped without a word. Fails on anything overspent, lost or doubled.
import { findPostgres } from "../../harness/postgres/find.ts";
import { PostgresServer } from "../../harness/postgres/server.ts";
import { Campaign } from "./campaign.ts";

const minutes = Number(process.argv[2] ?? 10);
const programs = await findPostgres();
if ("missing" in programs) throw new Error(`there is no PostgreSQL: ${programs.missing}`);
await using server = await PostgresServer.start(programs.bin, ["fsync = on"]);
await using campaign = new Campaign(server);
await campaign.open(4);
await campaign.run(minutes * 60_000);
const { violations, ...report } = campaign.report;
console.log(JSON.stringify(report, null, 2));
console.log(violations.length === 0 ? "nothing was broken" : violations.slice(0, 20).join("\n"));
process.exitCode = violations.length === 0 ? 0 : 1;
