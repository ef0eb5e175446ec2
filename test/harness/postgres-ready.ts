// Run before all tests: ends badly when there is no PostgreSQL, and with `--look` does not try to
// install one.
import { findInstalled, findPostgres } from "./postgres/find.ts";

const isLook = process.argv.includes("--look");
const programs = isLook ? findInstalled() : await findPostgres();
if (programs && "missing" in programs) {
  process.stderr.write(`NOT CHECKED ON POSTGRESQL: test/cluster. There is none: `);
  process.stderr.write(`${programs.missing}\n`);
}
process.exit(programs && "bin" in programs ? 0 : 1);
