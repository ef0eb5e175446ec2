// CPU time and resident memory of a process, its threads and its descendants, from /proc.
import { readdirSync, readFileSync } from "node:fs";

const microsPerTick = 10_000;
const sampleMs = 200;

interface ProcessStat {
  readonly pid: number;
  readonly parentPid: number;
  readonly ticks: number;
}

/** User and system time so far, that of dead children that were waited for included. */
export function readCpuMicros(pid: number): number {
  return readTree(pid).reduce((sum, stat) => sum + stat.ticks, 0) * microsPerTick;
}

export function readRssBytes(pid: number): number {
  return readTree(pid).reduce((sum, stat) => sum + readOneRssBytes(stat.pid), 0);
}

/** Samples memory until stopped; `stop` returns the highest value seen. */
export function watchRss(pid: number): { stop: () => number } {
  let peakBytes = readRssBytes(pid);
  const sample = (): void => {
    peakBytes = Math.max(peakBytes, readRssBytes(pid));
  };
  const timer = setInterval(sample, sampleMs);
  return {
    stop() {
      clearInterval(timer);
      sample();
      return peakBytes;
    },
  };
}

function readOneRssBytes(pid: number): number {
  const kibibytes = /^VmRSS:\s+(\d+)/m.exec(readProc(`${pid}/status`))?.[1] ?? "0";
  return Number(kibibytes) * 1024;
}

function readTree(pid: number): ProcessStat[] {
  const all = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? readStat(name) : []));
  const tree = all.filter((stat) => stat.pid === pid);
  for (const parent of tree) tree.push(...all.filter((stat) => stat.parentPid === parent.pid));
  return tree;
}

function readStat(name: string): ProcessStat[] {
  const text = readProc(`${name}/stat`);
  // The command name stands in parentheses and may itself hold spaces and parentheses.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  if (fields.length < 20) return [];
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return [{ pid: Number(name), parentPid: Number(fields[1]), ticks }];
}

/** A process may end between the listing and the reading; it then counts as nothing. */
function readProc(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, "utf8");
  } catch {
    return "";
  }
}
