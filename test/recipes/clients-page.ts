// The settings of clients as docs/clients.md has them, with the address of a gateway that runs.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const page = readFileSync(join(import.meta.dir, "..", "..", "docs", "clients.md"), "utf8");

/** The client's row, for a gateway at that address. */
export function recipeOf(client: string, url: string): string {
  const row = page.split("\n").find((line) => line.startsWith("|") && cellsOf(line)[0] === client);
  const [, recipe] = row ? (/`([^`]+)`/.exec(cellsOf(row)[1] ?? "") ?? []) : [];
  if (recipe === undefined) throw new Error(`docs/clients.md has no settings for ${client}.`);
  return recipe.replaceAll("http://127.0.0.1:3000", url);
}

/** The text of links stands for them. */
function cellsOf(line: string): string[] {
  const plain = line.replace(/\[([^\]]+)\]\([^)]+\)/g, "$1");
  return plain
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}

/** The first script in Python that has these words, for a gateway at that address. */
export function scriptWith(words: string, url: string): string {
  const blocks = [...page.matchAll(/^```python\n([^]*?)^```$/gm)].map(([, block = ""]) => block);
  const script = blocks.find((block) => block.includes(words));
  if (script === undefined) throw new Error(`docs/clients.md has no script with ${words}.`);
  return script.replaceAll("http://127.0.0.1:3000", url);
}
