// Folder for the files of a run of tests: in memory where the machine has plenty of it. Every
// gateway syncs its folder a dozen times, and what tests lose of it with the power nobody misses.
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { freemem } from "node:os";
import { join } from "node:path";

const memory = "/dev/shm";
const ours = "sluice-tests-";
const freeBytesMin = 6 * 1024 ** 3;

/** Variables that have programs put their files there; it ends with this process. */
export function testFolder() {
  // A folder that somebody named is taken.
  if (process.env["TMPDIR"] || !hasRoom()) return {};
  sweep();
  const folder = mkdtempSync(join(memory, `${ours}${process.pid}-`));
  // A database server is another user's, as it refuses to be root's.
  chmodSync(folder, 0o711);
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return { TMPDIR: folder };
}

function hasRoom() {
  try {
    const { bavail, bsize } = statfsSync(memory);
    const available = process.availableMemory?.() ?? freemem();
    return Math.min(bavail * bsize, available) >= freeBytesMin;
  } catch {
    return false;
  }
}

/** Takes away what a run has left that was killed. */
function sweep() {
  for (const name of readdirSync(memory).filter((one) => one.startsWith(ours))) {
    const pid = parseInt(name.slice(ours.length), 10);
    if (!isAlive(pid)) rmSync(join(memory, name), { recursive: true, force: true });
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch ({ code }) {
    // Another person's process may not be asked.
    return code === "EPERM";
  }
}
