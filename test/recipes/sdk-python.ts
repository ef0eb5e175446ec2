// Clients for Python, run as docs/clients.md has them.
import { join } from "node:path";
import { scriptWith } from "./clients-page.ts";
import { pythonWith } from "./python.ts";
import type { Recipe } from "./recipes.ts";
import { inFolder } from "./shell.ts";

/** The script of the page that has these words, and what it asks for besides. */
export function sdkPython(name: string, requirement: string, words: string, more = ""): Recipe {
  return {
    name,
    async run({ url, key }) {
      const python = join(pythonWith(requirement), "python");
      const script = `${scriptWith(words, url)}\n${more}`;
      return await inFolder([python, "-c", script], { KEY: key });
    },
  };
}
