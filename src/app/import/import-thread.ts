// The thread that runs an import for the console: it reads a whole database, which no request is to
// wait for. What it asks of the gateway goes by messages, as the command line's goes over HTTP.
import { existsSync, readFileSync } from "node:fs";
import type {
  ImportProgram,
  ImportReportView,
  ImportStep,
} from "../../admin/import-run/contract.ts";
import type { Json } from "../../core/json.ts";
import { scrub } from "../../core/log.ts";
import { ControlClient, ControlError, type ControlMethod } from "../../cli/control-client.ts";
import { importReaders } from "../../cli/import/readers.ts";
import { runImport } from "../../cli/import/run.ts";

export interface ImportOrder {
  program: ImportProgram;
  /** A file or an address; empty for none. */
  from: string;
  config: string | null;
  source: string;
  salt: string | null;
  variables: Readonly<Record<string, string>>;
  allowPrivate: boolean;
  isDry: boolean;
}

/** A call of the control plane, made in the name of who began the import. */
export interface OwnCall {
  method: ControlMethod;
  path: string;
  body: string | undefined;
}

export type OwnAnswer = { data: Json } | { refusal: string };
export type ToThread = { order: ImportOrder } | { id: number; answer: OwnAnswer };
export type FromThread =
  | { step: ImportStep }
  | { id: number; call: OwnCall }
  | { report: ImportReportView }
  | { fault: string };

declare const self: Worker;

class OwnClient extends ControlClient {
  readonly #waiting = new Map<number, (answer: OwnAnswer) => void>();
  #calls = 0;

  constructor() {
    super({ url: "", token: "" });
  }

  override async call(method: ControlMethod, path: string, body?: string): Promise<Json> {
    const { promise, resolve } = Promise.withResolvers<OwnAnswer>();
    const id = ++this.#calls;
    this.#waiting.set(id, resolve);
    tell({ id, call: { method, path, body } });
    const answer = await promise;
    if ("refusal" in answer) throw new ControlError(answer.refusal);
    return answer.data;
  }

  hear(id: number, answer: OwnAnswer): void {
    this.#waiting.get(id)?.(answer);
    this.#waiting.delete(id);
  }
}

const client = new OwnClient();

self.onmessage = ({ data }: MessageEvent<ToThread>) => {
  if ("order" in data) void answerOrder(data.order);
  else client.hear(data.id, data.answer);
};

async function answerOrder(order: ImportOrder): Promise<void> {
  try {
    tell({ report: await run(order) });
  } catch (error) {
    tell({ fault: wordsOf(error, order) });
  }
}

async function run(order: ImportOrder): Promise<ImportReportView> {
  const { program, from, config, source, salt, variables, allowPrivate, isDry } = order;
  tell({ step: "read" });
  const snapshot = await importReaders[program].read({
    from,
    config,
    allowPrivate,
    salt,
    environment: variables,
    readFile: (path) => (existsSync(path) ? readFileSync(path, "utf8") : null),
  });
  return await runImport(client, snapshot, { source, isDry, onStep: (step) => tell({ step }) });
}

/** A driver may quote the address that it was given. */
function wordsOf(error: unknown, { from, config }: ImportOrder): string {
  const words = error instanceof Error ? error.message : String(error);
  const paths = [from, config ?? ""].filter((text) => text !== "");
  return scrub(paths.reduce((left, path) => left.replaceAll(path, "the source"), words));
}

function tell(message: FromThread): void {
  self.postMessage(message);
}
