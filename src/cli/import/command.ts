// sluice import: the way in for people who come from another program.
import { InvalidArgumentError, type Command } from "commander";
import type { Json } from "../../core/json.ts";
import {
  addJsonCommand,
  control,
  printOne,
  type CommandNeeds,
  type JsonOption,
} from "../command.ts";
import type { SnapshotReader } from "./snapshot.ts";
import { importReaders } from "./readers.ts";
import { renderReport } from "./report.ts";
import { runImport } from "./run.ts";

const readers = Object.values(importReaders);

interface ImportOptions extends JsonOption {
  from?: string;
  config?: string;
  source?: string;
  saltVariable: string;
  dryRun?: true;
  allowPrivate?: true;
}

export function addImportCommand(program: Command, needs: CommandNeeds): void {
  addJsonCommand(program, "import", {
    description: "take over accounts, keys, channels and balances of another program",
    examples: [
      "sluice import new-api --from one-api.db --dry-run",
      "sluice import one-api --from 'user:password@tcp(127.0.0.1:3306)/oneapi'",
      "sluice import litellm --config config.yaml --from postgres://127.0.0.1/litellm",
    ],
  })
    .argument("<program>", readers.map((reader) => reader.program).join(", "), readerNamed)
    .option("--from <database>", "its SQLite file, or the address of its PostgreSQL or MySQL")
    .option("--config <file>", "its configuration file, for litellm")
    .option("--source <name>", "what to call it here (default: the program); ids count within it")
    .option("--salt-variable <name>", "where litellm's salt is found", "LITELLM_SALT_KEY")
    .option("--dry-run", "read and plan everything, write nothing")
    .option("--allow-private", "take channels at addresses of this machine or network")
    .action((reader: SnapshotReader, options: ImportOptions) =>
      control(needs, async (client) => {
        const { terminal } = needs;
        if (options.from === undefined && options.config === undefined) {
          throw new Error("say where it is: --from");
        }
        const snapshot = await reader.read({
          from: options.from ?? "",
          config: options.config ?? null,
          allowPrivate: options.allowPrivate === true,
          salt: terminal.environment[options.saltVariable] ?? null,
          environment: terminal.environment,
          readFile: (path) => terminal.readFile(path),
        });
        const source = options.source ?? reader.program;
        const report = await runImport(client, snapshot, {
          source,
          isDry: options.dryRun === true,
        });
        const json: Json = JSON.parse(JSON.stringify(report));
        printOne(terminal, json, renderReport(report), options);
        if (!report.money.equal) terminal.fail();
      }),
    );
}

function readerNamed(text: string): SnapshotReader {
  const reader = readers.find(({ program }) => program === text);
  if (reader) return reader;
  throw new InvalidArgumentError(`It must be ${readers.map(({ program }) => program).join(", ")}.`);
}
