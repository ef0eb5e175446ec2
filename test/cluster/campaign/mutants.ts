// Builds of the program that are broken on purpose: one text of one source is another one. They
// exist only as long as the campaign that has to catch them; nothing in the program knows of them.
import { copyFileSync } from "node:fs";
import { basename, join } from "node:path";
import {
  consoleFile,
  makeConsole,
  pages,
  sources as sourceFolder,
  threads,
} from "../../../bin/bundle.mjs";

export interface Mutant {
  name: string;
  /** Below `src`. */
  file: string;
  from: string;
  to: string;
}

const dropSlices = `delete from ledger_slice where node_id = v_node and account_id = any (v_accounts);`;

export const mutants: readonly Mutant[] = [
  {
    name: "acknowledge before the commit",
    file: "quota/cluster/cluster-ledger.ts",
    from: "const { lists, sent } = this.slices.take();",
    to: "const { lists, sent } = this.slices.take(); batch.finish();",
  },
  {
    name: "lend without taking",
    file: "store/postgres/turn/lend.ts",
    from: "from give g where a.account_id = g.account_id and g.micros > 0)",
    to: "from give g where a.account_id = g.account_id and g.micros > 0 and false)",
  },
  {
    name: "lend of caps and keys without taking",
    file: "store/postgres/turn/limited.ts",
    from: "from give g where k.${rowId} = g.id and g.micros > 0)",
    to: "from give g where k.${rowId} = g.id and g.micros > 0 and false)",
  },
  {
    // Folded once, it stays where it is with a mark, and goes when it was folded again.
    name: "fold twice",
    file: "store/postgres/turn/reap.ts",
    from: dropSlices,
    to: `delete from ledger_slice where node_id = v_node and account_id = any (v_accounts)
        and lent_ever_micros < 0;
      update ledger_slice set lent_ever_micros = -1
        where node_id = v_node and account_id = any (v_accounts);`,
  },
  {
    name: "no turn number",
    file: "store/postgres/turn/turn.ts",
    from: "where id = p_node and seq = p_seq - 1 and state = 'live';",
    to: "where id = p_node and state = 'live';",
  },
  {
    name: "leave lasting holds unwritten",
    file: "quota/unwritten-holds.ts",
    from: "timers.every(lookMs, () => this.#writeUntil(clock.monotonicMs() - lastsMs));",
    to: "",
  },
];

/** The source with its change; fails where it no longer has the text, or has it twice. */
export async function readMutated({ file, from, to }: Mutant): Promise<string> {
  const text = await Bun.file(join(sourceFolder, file)).text();
  if (text.split(from).length !== 2) throw new Error(`${file} has not this text once: ${from}`);
  return text.replace(from, () => to);
}

/** The entry of the program with this one change, built into the folder. */
export async function buildMutant(mutant: Mutant, folder: string): Promise<string> {
  const changed = join(sourceFolder, mutant.file);
  const text = await readMutated(mutant);
  await Bun.build({
    entrypoints: ["main.ts", ...threads].map((entry) => join(sourceFolder, entry)),
    target: "bun",
    splitting: true,
    naming: { entry: "[name].ts" },
    outdir: folder,
    plugins: [
      {
        name: "mutant",
        setup(build) {
          const filter = new RegExp(`${basename(changed).replace(".", "\\.")}$`);
          build.onLoad({ filter }, async ({ path }) => ({
            contents: path === changed ? text : await Bun.file(path).text(),
            loader: "ts",
          }));
        },
      },
    ],
  });
  for (const page of pages) copyFileSync(join(sourceFolder, page), join(folder, basename(page)));
  if (!makeConsole(join(folder, consoleFile))) throw new Error("the console was not built");
  return join(folder, "main.ts");
}
