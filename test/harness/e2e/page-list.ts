// Pages of the console, and whom each is for, as its index says.
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface ListedPage {
  name: string;
  role: string;
}

const index = join(import.meta.dir, "../../../web/pages/index.ts");
const entry = /name: "([a-z-]+)",[^}]*?role: "([a-z]+)"/g;

export function listedPages(): ListedPage[] {
  const text = readFileSync(index, "utf8");
  return Array.from(text.matchAll(entry), ([, name = "", role = ""]) => ({ name, role }));
}
