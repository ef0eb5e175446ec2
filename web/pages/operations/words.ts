// Words of the page of operations.
import { pageWords } from "../../kit/page-words.ts";

export const t = pageWords("operations", "page", {
  backups: "Backups",
  text: "A backup has every key and balance in it: keep it where only you can read it.",
  keptIn: (folder: string) =>
    `Kept in ${folder}, at most 30, on the disk of the data: download those that count.`,
  lastAt: (at: string) => `Last backup: ${at}`,
  takeNow: "Back up now",
  withMedia: "With videos, pictures and files",
  upload: "Upload a backup",
  archive: "Archive",
  archiveText: (most: string) =>
    `A .tar.gz of at most ${most}. Copy one that is slower than server.body_seconds to the folder.`,
  elsewhere: "The rows are in PostgreSQL, whose own tools back them up",
  size: "Size",
  empty: "No backups yet",
  emptyText: "Take one now, or upload one.",
  restore: "Restore to a new folder",
  restoreText: "Its files and books are checked. Nothing that runs is touched.",
  folder: "New folder beside the data",
  removeText: "The file is deleted from the gateway's machine.",
  downloadTitle: (name: string) => `Download ${name}`,
  kinds: {
    take: (name: string) => `Backup ${name}`,
    restore: (name: string) => `Restore of ${name}`,
  },
  states: { running: "Running", done: "Done", failed: "Failed" },
  steps: {
    databases: "Copying the databases",
    files: "Copying the files",
    books: "Checking the books",
    archive: "Packing the archive",
    unpack: "Unpacking the archive",
    compare: "Comparing the files",
    place: "Placing the files",
  },
  progress: (done: string, total: string) => `${done} of ${total} steps done`,
  accounts: "Accounts",
  entries: "Ledger entries",
  mediaFiles: "Media files",
  next: "To go on with it, stop this gateway and start one there",
  nextText: "It lacks what was booked since the backup, and needs the same SLUICE_SECRET.",
});
