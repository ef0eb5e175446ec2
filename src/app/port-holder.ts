// The process that has a port, where the system tells: Linux lists its sockets and the files of
// each process.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

const listening = "0A";

/** Such as `process 4711, node`; null where that cannot be found out. */
export function findHolder(port: number): string | null {
  const inodes = new Set(
    ["/proc/net/tcp", "/proc/net/tcp6"].flatMap((path) => inodesOf(path, port)),
  );
  if (inodes.size === 0) return null;
  const pid = namesIn("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .find((name) => holds(`/proc/${name}/fd`, inodes));
  if (pid === undefined) return null;
  const name = readOrEmpty(`/proc/${pid}/comm`).trim();
  return name === "" ? `process ${pid}` : `process ${pid}, ${name}`;
}

function inodesOf(path: string, port: number): string[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, "0");
  return readOrEmpty(path)
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local = "", , state]) => local.endsWith(`:${wanted}`) && state === listening)
    .flatMap((fields) => fields[9] ?? []);
}

function holds(folder: string, inodes: ReadonlySet<string>): boolean {
  return namesIn(folder).some((name) => {
    const [, inode = ""] = /^socket:\[(\d+)\]$/.exec(linkOrEmpty(`${folder}/${name}`)) ?? [];
    return inodes.has(inode);
  });
}

// A process may end while it is looked at, and others' are closed to us.
function namesIn(folder: string): string[] {
  return orElse(() => readdirSync(folder), []);
}

function readOrEmpty(path: string): string {
  return orElse(() => readFileSync(path, "utf8"), "");
}

function linkOrEmpty(path: string): string {
  return orElse(() => readlinkSync(path), "");
}

function orElse<Value>(read: () => Value, otherwise: Value): Value {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
