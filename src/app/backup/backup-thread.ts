// The thread that takes and restores backups: it reads and writes whole files, which no request is
// to wait for. Started for one of them, ended with it.
import { BackupFault } from "./fault.ts";
import { restoreBackup, type RestoreOrder, type restoreSteps } from "./restore.ts";
import { takeBackup, type TakeOrder, type takeSteps } from "./take.ts";

export type BackupOrder =
  { kind: "take"; order: TakeOrder } | { kind: "restore"; order: RestoreOrder };

/** Numbers that a backup comes to. */
export interface BackupCounts {
  accounts: number;
  entries: number;
  mediaFiles: number | null;
  notes: string[];
}

export type BackupReply =
  | { step: (typeof takeSteps)[number] | (typeof restoreSteps)[number] }
  | { counts: BackupCounts }
  | { fault: string; isExplained: boolean };

declare const self: Worker;
self.onmessage = (event: MessageEvent<BackupOrder>) => void answer(event.data);

async function answer(question: BackupOrder): Promise<void> {
  try {
    reply({ counts: await run(question) });
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error);
    reply({ fault, isExplained: error instanceof BackupFault });
  }
}

function reply(message: BackupReply): void {
  self.postMessage(message);
}

async function run(question: BackupOrder): Promise<BackupCounts> {
  if (question.kind === "take") {
    const copy = await takeBackup(question.order, (step) => reply({ step }));
    const { manifest, accounts, entries, notes } = copy;
    return { accounts, entries, mediaFiles: manifest.media.files, notes };
  }
  const { accounts, entries } = await restoreBackup(question.order, (step) => reply({ step }));
  return { accounts, entries, mediaFiles: null, notes: [] };
}
