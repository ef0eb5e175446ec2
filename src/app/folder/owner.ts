// Process that serves a data folder, found by what it has written there: its lock is a file, which
// cleaners of old files take away under it. Nothing but that very process takes the token of
// `server.json`, so no number of a process, which others get after its death, has to be believed.
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemTimers } from "../../core/clock.ts";
import { isObject, parseJson, type Json } from "../../core/json.ts";
import { send } from "../../core/wire/send.ts";
import { FolderLocked } from "../../store/sqlite/lock.ts";

interface FolderOwner {
  url: string;
  token: string;
  pid: number;
}

export const ownerFile = "server.json";
const patienceMs = 2000;
const replyBytesMax = 256 * 1024;

/** For commands to find it, and for a second process to be refused. */
export function noteOwner(folder: string, { url, token, pid }: FolderOwner): void {
  const state = { url, token, pid, inode: inodeOf(folder) };
  writeFileSync(join(folder, ownerFile), JSON.stringify(state), { mode: 0o600 });
}

export async function assertUnowned(folder: string): Promise<void> {
  if (await isOwned(folder)) throw new FolderLocked(folder);
}

/** Whether the process that the folder names lives. */
export async function isOwned(folder: string): Promise<boolean> {
  const owner = readOwner(folder);
  if (!owner) return false;
  const verdict = await ask(owner);
  // One that is stopped in its tracks takes connections and says nothing.
  return verdict === "silent" ? isAlive(owner.pid) : verdict === "known";
}

function readOwner(folder: string): FolderOwner | null {
  const state = readState(join(folder, ownerFile));
  if (!isObject(state)) return null;
  const { url, token, pid, inode } = state;
  // In a copy of the folder it names the owner of the first.
  if (inode !== inodeOf(folder)) return null;
  if (typeof url !== "string" || typeof token !== "string" || typeof pid !== "number") return null;
  return { url, token, pid };
}

function readState(path: string): Json {
  try {
    return parseJson(readFileSync(path));
  } catch {
    return null;
  }
}

/** The folder's own, whatever it is called and wherever it is mounted. */
function inodeOf(folder: string): number {
  return statSync(folder).ino;
}

type Verdict = "known" | "other" | "silent";

async function ask({ url, token }: FolderOwner): Promise<Verdict> {
  const abort = new AbortController();
  const stop = systemTimers.after(patienceMs, () => abort.abort());
  try {
    const reply = await send({
      url: `${url}/api/user/self`,
      method: "GET",
      headers: { authorization: `Bearer ${token}` },
      signal: abort.signal,
    });
    const answer = parseJson(await reply.bytes(replyBytesMax));
    return isObject(answer) && answer["success"] === true ? "known" : "other";
  } catch {
    return abort.signal.aborted ? "silent" : "other";
  } finally {
    stop();
  }
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists, but is another user's.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
