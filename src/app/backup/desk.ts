// Backups that the gateway takes of itself while it serves, and restores beside its own folder: one
// at a time, in a thread.
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { BackupFile, Backups, BackupResult, BackupWork } from "../../admin/backup/needs.ts";
import type { BackupStep } from "../../admin/backup/contract.ts";
import type { Clock, Timers } from "../../core/clock.ts";
import { GatewayError, invalid } from "../../core/errors.ts";
import type { Log } from "../../core/log.ts";
import { shellWord } from "../../core/shell-word.ts";
import { backupMarkFile } from "../../store/backup-mark.ts";
import type { BackupCounts, BackupOrder, BackupReply } from "./backup-thread.ts";
import { KeptBackups } from "./kept.ts";
import { restoreSteps } from "./restore.ts";
import { takeSteps, type BackupSource } from "./take.ts";
import { WorkSlot } from "../maintenance/work-slot.ts";

const most = { ms: 6 * 3_600_000, words: "six hours" };
const busy = "A backup is being taken or restored already: wait until that has ended.";

interface DeskNeeds {
  source: BackupSource;
  elsewhere: string | null;
  /** The configuration file, which is in no backup. */
  configPath: string | null;
  clock: Clock;
  timers: Timers;
  log: Log;
}

export class BackupDesk implements Backups {
  readonly #needs: DeskNeeds;
  readonly #dataFolder: string;
  readonly #kept: KeptBackups;
  readonly #slot: WorkSlot<BackupWork["kind"], BackupStep, BackupResult>;

  constructor(needs: DeskNeeds) {
    this.#needs = needs;
    this.#slot = new WorkSlot({ clock: needs.clock, timers: needs.timers, busy, most });
    this.#dataFolder = resolve(needs.source.dataFolder);
    this.#kept = new KeptBackups(this.#dataFolder);
    if (needs.elsewhere === null) this.#kept.removeDrafts();
  }

  get folder(): string {
    return this.#kept.path;
  }

  get elsewhere(): string | null {
    return this.#needs.elsewhere;
  }

  get work(): BackupWork | null {
    return this.#slot.work;
  }

  lastAtMs(): number | null {
    const path = join(this.#dataFolder, backupMarkFile);
    return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
  }

  list(): BackupFile[] {
    return this.#kept.list();
  }

  uploadBytesMax(): number {
    return this.#kept.uploadBytesMax();
  }

  take(withMedia: boolean): BackupWork {
    this.#slot.assertIdle();
    this.#kept.make();
    const { source, clock } = this.#needs;
    const name = `sluice-${nameOfMoment(clock.nowMs())}.tar.gz`;
    const target = join(this.folder, name);
    const order = { source, target, withMedia };
    return this.#begin(
      name,
      { kind: "take", order },
      ({ accounts, entries, mediaFiles, notes }) => {
        const bytes = statSync(target).size;
        return { accounts, entries, mediaFiles, bytes, folder: null, command: null, notes };
      },
    );
  }

  restore(name: string, folderName: string): BackupWork {
    this.#slot.assertIdle();
    const folder = this.#newFolder(folderName);
    const { usageDays } = this.#needs.source;
    const order = { backup: join(this.folder, name), folder, usageDays, isUnverified: false };
    return this.#begin(name, { kind: "restore", order }, ({ accounts, entries, notes }) => {
      const command = this.#commandOn(folder);
      return { accounts, entries, mediaFiles: null, bytes: null, folder, command, notes };
    });
  }

  keep(name: string, pieces: AsyncIterable<Uint8Array>): Promise<BackupFile> {
    return this.#kept.keep(name, pieces);
  }

  remove(name: string): Promise<void> {
    const isUsed = this.#slot.isBusy && this.work?.name === name;
    if (isUsed) throw new GatewayError("conflict", { message: "It is being worked on." });
    return this.#kept.remove(name);
  }

  open(name: string): { bytes: number; pieces: AsyncIterable<Uint8Array> } | null {
    return this.#kept.open(name);
  }

  /** Gives up what runs, which leaves nothing behind. */
  close(): void {
    this.#slot.close();
  }

  #newFolder(name: string): string {
    const above = dirname(this.#dataFolder);
    const folder = join(above, name);
    if (existsSync(folder)) throw invalid("folder", `is already there, in ${above}`);
    try {
      accessSync(above, constants.W_OK);
    } catch {
      throw invalid("folder", `cannot be made: the gateway may not write in ${above}`);
    }
    return folder;
  }

  #commandOn(folder: string): string {
    const { configPath } = this.#needs;
    const variable = configPath === null ? "" : `SLUICE_CONFIG=${shellWord(resolve(configPath))} `;
    return `${variable}sluice serve --data ${shellWord(folder)}`;
  }

  #begin(
    name: string,
    question: BackupOrder,
    toResult: (counts: BackupCounts) => BackupResult,
  ): BackupWork {
    const { log } = this.#needs;
    const slot = this.#slot;
    const { kind } = question;
    const thread = new Worker(new URL("./backup-thread.ts", import.meta.url), { smol: true });
    thread.unref();
    thread.onmessage = ({ data }: MessageEvent<BackupReply>) => {
      if ("step" in data) slot.toStep(data.step);
      else if ("fault" in data) {
        if (!data.isExplained) log.error("a backup failed", { name, fault: data.fault });
        slot.fail(data.fault);
      } else {
        slot.done(toResult(data.counts));
        log.info("work on a backup is done", { kind, name });
      }
    };
    thread.onerror = ({ message }) => slot.fail(message);
    const work = slot.begin({
      kind,
      name,
      stepsTotal: (kind === "take" ? takeSteps : restoreSteps).length,
      end: () => thread.terminate(),
      failed: () => this.#kept.removeDrafts(),
    });
    thread.postMessage(question);
    return work;
  }
}

/** A moment as part of a file's name, in UTC: `2026-11-18-212200`. */
function nameOfMoment(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace("T", "-").replaceAll(":", "");
}
