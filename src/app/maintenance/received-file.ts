// A file that comes over the wire onto the disk of the data, whole or not at all.
import { statfsSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { invalid } from "../../core/errors.ts";
import { syncPath } from "../backup/files.ts";

/** Room on the disk that stays for the books. */
const spareBytes = 256 * 1024 * 1024;

/** Bytes for which there is room in a folder. */
export function roomIn(folder: string, most: number): number {
  const { bavail, bsize } = statfsSync(folder);
  return Math.max(0, Math.min(most, bavail * bsize - spareBytes));
}

interface Received {
  folder: string;
  /** Its name on the way. */
  draft: string;
  name: string;
  /** First bytes of such a file, and the refusal of any other. */
  mark: { bytes: readonly number[]; refusal: string };
}

export async function receiveFile(
  pieces: AsyncIterable<Uint8Array>,
  { folder, draft, name, mark }: Received,
): Promise<void> {
  const draftPath = `${folder}/${draft}`;
  try {
    await write(draftPath, pieces, mark);
    await rename(draftPath, `${folder}/${name}`);
    syncPath(folder);
  } finally {
    await rm(draftPath, { force: true });
  }
}

async function write(
  path: string,
  pieces: AsyncIterable<Uint8Array>,
  { bytes, refusal }: Received["mark"],
): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    const start: number[] = [];
    for await (const piece of pieces) {
      if (start.length < bytes.length) start.push(...piece.subarray(0, bytes.length));
      await file.writeFile(piece);
    }
    if (bytes.some((byte, at) => start[at] !== byte)) throw invalid("file", refusal);
    await file.sync();
  } finally {
    await file.close();
  }
}
