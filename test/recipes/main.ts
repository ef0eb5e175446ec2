// npm run recipes: the clients of docs/clients.md that come from PyPI and npm, as written there.
// Fails when one of them does not show the sandbox's answer.
import { parseArgs } from "node:util";
import { rootKey, startProcess } from "../harness/gateway.ts";
import { recipes } from "./recipes.ts";

/** Beginning of every answer of the sandbox to such a question, in small letters. */
const answer = "you asked about hello";

const { values } = parseArgs({ options: { only: { type: "string" } } });
const chosen = recipes.filter(({ name, isLarge }) =>
  values.only === undefined ? !isLarge : name === values.only,
);
if (chosen.length === 0) {
  throw new Error(`--only must be one of: ${recipes.map(({ name }) => name).join("; ")}`);
}
let failures = 0;
{
  await using gateway = await startProcess({ environment: { SLUICE_SANDBOX: "on" } });
  for (const { name, run } of chosen) {
    const shown = await run({ url: gateway.url, key: rootKey }).catch(String);
    const isGood = shown.toLowerCase().includes(answer);
    console.log(`${isGood ? "ok  " : "FAIL"} ${name}`);
    if (isGood) continue;
    failures++;
    console.log(shown.replace(/^/gm, "     | "));
  }
}
console.log(`${chosen.length} run, ${failures} failed`);
for (const { name, isLarge } of recipes) {
  if (isLarge && !values.only) console.log(`Not run, since it is large: --only "${name}"`);
}
process.exit(failures === 0 ? 0 : 1);
