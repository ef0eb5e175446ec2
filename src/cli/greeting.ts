// Lines for whoever has started a gateway.
import { resolve } from "node:path";
import type { App } from "../app.ts";
import type { Config } from "../config/config.ts";

export function greeting(
  { url, generated, signInLink }: App,
  { dataFolder, node }: Config,
): string {
  const lines: string[] = [];
  // Leave it to the process that started several nodes to say where they are.
  if (node === null) {
    lines.push(`Sluice is listening on ${url}`, `Data folder: ${resolve(dataFolder)}`);
  }
  if (generated.password !== null) lines.push(`Root password: ${generated.password}`);
  if (generated.key !== null) {
    lines.push(`API key: ${generated.key}`, "", "Both are shown this once. Try:", "");
    lines.push(`  curl ${url}/v1/chat/completions -H 'authorization: Bearer ${generated.key}' \\`);
    lines.push("    -H 'content-type: application/json' \\");
    lines.push(`    -d '{"model":"chatA","messages":[{"role":"user","content":"Hello"}]}'`, "");
  }
  if (signInLink !== null) lines.push("Sign in, once, within 15 minutes:", `  ${signInLink}`);
  return lines.map((line) => `${line}\n`).join("");
}
