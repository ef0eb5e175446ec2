// Folders as .tar.gz, by the tar that every system has.
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { BackupFault } from "./fault.ts";

/** Longest time for one archive. */
const tarMsMax = 3 * 3_600_000;

export function isArchive(path: string): boolean {
  return /\.(?:tar\.gz|tgz)$/.test(path);
}

export async function pack(folder: string, archive: string): Promise<void> {
  const child = startTar(["-czf", archive, "-C", folder, "."], "ignore");
  await ended(child);
}

/** Unpacks at most so many bytes, and nothing but files and folders. */
export async function unpack(archive: string, folder: string, bytesMax: number): Promise<void> {
  const child = startTar(["-xf", "-", "-C", folder, "--no-same-owner"], "pipe");
  try {
    await feed(child.stdin, archive, bytesMax);
  } catch (error) {
    child.kill();
    await child.exited;
    if (error instanceof BackupFault) throw error;
    throw new BackupFault("the archive is damaged: it cannot be unpacked", { cause: error });
  }
  await ended(child);
  assertPlain(folder);
}

interface Sink {
  write(chunk: Uint8Array): unknown;
  flush(): unknown;
  end(): unknown;
}

/** A few packed bytes may stand for all of the disk. */
async function feed(sink: Sink, archive: string, bytesMax: number): Promise<void> {
  let left = bytesMax;
  const plain = Bun.file(archive).stream().pipeThrough(new DecompressionStream("gzip"));
  for await (const chunk of plain) {
    left -= chunk.length;
    if (left < 0) throw new BackupFault("the disk has too little room for what is in the archive");
    sink.write(chunk);
    await sink.flush();
  }
  await sink.end();
}

/** A link would lead out of the folder. */
function assertPlain(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const stat = lstatSync(path);
    if (stat.isDirectory()) assertPlain(path);
    else if (!stat.isFile()) throw new BackupFault(`this is no backup: ${name} is no file`);
  }
}

function startTar<Input extends "ignore" | "pipe">(words: readonly string[], stdin: Input) {
  try {
    return Bun.spawn(["tar", ...words], {
      stdin,
      stdout: "ignore",
      stderr: "pipe",
      timeout: tarMsMax,
    });
  } catch {
    throw new BackupFault("an archive needs the program tar: name a folder instead");
  }
}

interface Child {
  exited: Promise<number>;
  stderr: ReadableStream<Uint8Array>;
}

async function ended({ exited, stderr }: Child): Promise<void> {
  const [code, complaint] = await Promise.all([exited, Bun.readableStreamToText(stderr)]);
  if (code !== 0) throw new BackupFault(`tar failed: ${complaint.trim()}`);
}
