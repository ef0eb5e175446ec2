// Memory that this process may use: the machine's, or less where a control group says so.

const groupRoot = "/sys/fs/cgroup";
const versionOneLimit = `${groupRoot}/memory/memory.limit_in_bytes`;

/** The smallest limit among the machine's memory and the control groups this process is in. */
export function availableMemoryBytes(
  machineBytes: number,
  readFile: (path: string) => string | null,
): number {
  const limits = [versionOneLimit, ...versionTwoLimits(readFile("/proc/self/cgroup") ?? "")]
    .map((path) => Number(readFile(path)?.trim() || "max"))
    .filter((bytes) => Number.isFinite(bytes) && bytes > 0);
  return Math.min(machineBytes, ...limits);
}

/** A limit may stand at the process's own group or at any group above it. */
function versionTwoLimits(membership: string): string[] {
  const own = /^0::(\/.*)$/m.exec(membership)?.[1] ?? "/";
  const names = own.split("/").filter((name) => name !== "");
  return [...names.keys(), names.length].map((depth) =>
    [groupRoot, ...names.slice(0, depth), "memory.max"].join("/"),
  );
}
