// Imports that the gateway runs by itself while it serves: one at a time, in a thread. Uploaded
// sources have other people's secrets in them, and stay no longer than they are needed.
import { mkdirSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type {
  ImportProgram,
  ImportReportView,
  ImportRunInput,
  ImportStep,
} from "../../admin/import-run/contract.ts";
import { importKinds } from "../../admin/import-run/contract.ts";
import type { ImportFile, ImportRuns, ImportWork } from "../../admin/import-run/needs.ts";
import type { Clock, Stop, Timers } from "../../core/clock.ts";
import { GatewayError, invalid } from "../../core/errors.ts";
import type { Log } from "../../core/log.ts";
import type { Operator } from "../../identity/caller.ts";
import { receiveFile, roomIn } from "../maintenance/received-file.ts";
import { WorkSlot } from "../maintenance/work-slot.ts";
import type { FromThread, ImportOrder, OwnAnswer, OwnCall, ToThread } from "./import-thread.ts";

const keptMs = 2 * 3_600_000;
const most = { ms: 2 * 3_600_000, words: "two hours" };
const busy = "An import is running already: wait until that has ended.";
const sqliteMark = [...new TextEncoder().encode("SQLite format 3\0")];

const kinds = {
  database: {
    file: "source.db",
    bytesMax: 16 * 1024 ** 3,
    mark: { bytes: sqliteMark, refusal: "is no SQLite database" },
  },
  config: { file: "config.yaml", bytesMax: 4 * 1024 ** 2, mark: { bytes: [], refusal: "" } },
} as const;

interface DeskNeeds {
  dataFolder: string;
  elsewhere: string | null;
  clock: Clock;
  timers: Timers;
  log: Log;
  answer(operator: Operator, call: OwnCall): Promise<OwnAnswer>;
}

export class ImportDesk implements ImportRuns {
  readonly #needs: DeskNeeds;
  readonly #folder: string;
  readonly #slot: WorkSlot<"dry" | "real", ImportStep, ImportReportView>;
  readonly #files = new Map<ImportFile["kind"], ImportFile>();
  #program: ImportProgram = "new-api";
  #isUploading = false;
  #stopKeeping: Stop = () => {};

  constructor(needs: DeskNeeds) {
    const { clock, timers } = needs;
    this.#needs = needs;
    this.#folder = join(resolve(needs.dataFolder), "imports");
    this.#slot = new WorkSlot({ clock, timers, busy, most });
    if (needs.elsewhere === null) this.#clear();
  }

  get elsewhere(): string | null {
    return this.#needs.elsewhere;
  }

  get work(): ImportWork | null {
    return this.#slot.work;
  }

  get program(): ImportProgram {
    return this.#program;
  }

  files(): ImportFile[] {
    return [...this.#files.values()];
  }

  uploadBytesMax(kind: ImportFile["kind"]): number {
    return roomIn(this.#needs.dataFolder, kinds[kind].bytesMax);
  }

  async keep(
    { kind, name }: Pick<ImportFile, "kind" | "name">,
    pieces: AsyncIterable<Uint8Array>,
  ): Promise<ImportFile> {
    this.#slot.assertIdle();
    if (this.#isUploading) {
      throw new GatewayError("conflict", { message: "Another file is being uploaded." });
    }
    this.#isUploading = true;
    const { file, mark } = kinds[kind];
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      await receiveFile(pieces, {
        folder: this.#folder,
        draft: `${file}.partial`,
        name: file,
        mark,
      });
    } finally {
      this.#isUploading = false;
    }
    const { size: bytes } = statSync(this.#pathOf(kind));
    const kept: ImportFile = { kind, name, bytes, atMs: this.#needs.clock.nowMs() };
    this.#files.set(kind, kept);
    this.#keepAWhile();
    return kept;
  }

  remove(): number {
    this.#slot.assertIdle();
    const { size } = this.#files;
    this.#clear();
    return size;
  }

  run(operator: Operator, input: ImportRunInput): ImportWork {
    this.#slot.assertIdle();
    if (this.#isUploading) {
      throw new GatewayError("conflict", { message: "A file is still being uploaded." });
    }
    const order = this.#orderOf(input);
    const { log } = this.#needs;
    const slot = this.#slot;
    const thread = new Worker(new URL("./import-thread.ts", import.meta.url), { smol: true });
    thread.unref();
    const send = (message: ToThread) => thread.postMessage(message);
    thread.onmessage = ({ data }: MessageEvent<FromThread>) => {
      if ("step" in data) slot.toStep(data.step);
      else if ("call" in data) void this.#answer(operator, data, send);
      else if ("fault" in data) slot.fail(data.fault);
      else this.#report(data.report);
    };
    thread.onerror = ({ message }) => slot.fail(message);
    this.#program = input.program;
    const work = slot.begin({
      kind: input.dry_run ? "dry" : "real",
      name: order.source,
      stepsTotal: input.dry_run ? 2 : importKinds.length + 3,
      end: () => thread.terminate(),
      failed: () => log.warn("an import failed", { program: input.program }),
    });
    send({ order });
    return work;
  }

  /** Gives up what runs: what it has written stays, and the next run goes on from there. */
  close(): void {
    this.#slot.close();
    if (this.elsewhere === null) this.#clear();
  }

  async #answer(
    operator: Operator,
    { id, call }: { id: number; call: OwnCall },
    send: (message: ToThread) => void,
  ): Promise<void> {
    const answer = await this.#needs.answer(operator, call);
    // A thread that was ended meanwhile hears of nothing.
    if (this.#slot.isBusy) send({ id, answer });
  }

  #report(report: ImportReportView): void {
    this.#slot.done(report);
    const { dry_run: isDry, source, money } = report;
    this.#needs.log.info("an import is done", { source, isDry, equal: money.equal });
    if (!isDry && money.equal) this.#clear();
  }

  #orderOf(input: ImportRunInput): ImportOrder {
    const { program, address, salt, variables, allow_private: allowPrivate } = input;
    const isHere = program !== "litellm" && this.#files.has("database");
    const from = address ?? (isHere ? this.#pathOf("database") : "");
    const isNamed = program === "litellm" && this.#files.has("config");
    if (from === "" && !isNamed) {
      throw invalid("address", "is needed, or an uploaded file: there is nothing to read yet");
    }
    return {
      program,
      from,
      config: isNamed ? this.#pathOf("config") : null,
      source: input.source ?? program,
      salt: salt ?? null,
      variables: variables ?? {},
      allowPrivate: allowPrivate === true,
      isDry: input.dry_run,
    };
  }

  #pathOf(kind: ImportFile["kind"]): string {
    return join(this.#folder, kinds[kind].file);
  }

  #keepAWhile(): void {
    this.#stopKeeping();
    this.#stopKeeping = this.#needs.timers.after(keptMs, () => {
      if (this.#slot.isBusy) this.#keepAWhile();
      else this.#clear();
    });
  }

  #clear(): void {
    this.#stopKeeping();
    this.#files.clear();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
