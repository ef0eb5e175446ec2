// Progress of the tests while they run: on a terminal a live line for each group that runs,
// elsewhere one line for each group that has ended.

interface GroupProgress {
  fileCount: number;
  /** Processes of the group that have not ended. */
  openCount: number;
  passCount: number;
  failCount: number;
  skipCount: number;
  startedMs: number | null;
}

export interface Terminal {
  isTTY: boolean;
  columns: number;
  write(text: string): void;
}

const redrawMs = 200;
const clearLine = "\u001B[2K";
const toLineAbove = "\u001B[1A";

export class Progress {
  readonly #terminal: Terminal;
  readonly #groups = new Map<string, GroupProgress>();
  #drawnLines = 0;
  readonly #timer: ReturnType<typeof setInterval> | null;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.#timer = terminal.isTTY ? setInterval(() => this.#redraw(), redrawMs) : null;
  }

  addGroup(name: string, { fileCount, processCount }: GroupSize): void {
    const counts = { passCount: 0, failCount: 0, skipCount: 0 };
    this.#groups.set(name, { fileCount, openCount: processCount, ...counts, startedMs: null });
  }

  startProcess(name: string): void {
    const group = this.#groups.get(name);
    if (group) group.startedMs ??= performance.now();
  }

  addResult(name: string, result: "pass" | "fail" | "skip"): void {
    const group = this.#groups.get(name);
    if (group) group[`${result}Count`]++;
  }

  endProcess(name: string): void {
    const group = this.#groups.get(name);
    if (!group || --group.openCount > 0) return;
    this.#groups.delete(name);
    this.printLine(describeGroup(name, group));
  }

  /** A line that stays, above those that are live. */
  printLine(line: string): void {
    this.#erase();
    this.#terminal.write(`${line}\n`);
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#erase();
  }

  #redraw(): void {
    this.#erase();
    const running = [...this.#groups].filter(([, { startedMs }]) => startedMs !== null);
    const lines = running.map(([name, group]) => describeGroup(name, group));
    for (const line of lines) {
      this.#terminal.write(`${line.slice(0, this.#terminal.columns - 1)}\n`);
    }
    this.#drawnLines = lines.length;
  }

  #erase(): void {
    this.#terminal.write(`${toLineAbove}${clearLine}`.repeat(this.#drawnLines));
    this.#drawnLines = 0;
  }
}

interface GroupSize {
  fileCount: number;
  processCount: number;
}

function describeGroup(name: string, group: GroupProgress): string {
  const { fileCount, openCount, passCount, failCount, skipCount, startedMs } = group;
  const counts = [`${passCount} pass`];
  if (failCount > 0) counts.push(`${failCount} FAIL`);
  if (skipCount > 0) counts.push(`${skipCount} skipped`);
  const seconds = ((performance.now() - (startedMs ?? performance.now())) / 1000).toFixed(1);
  const mark = openCount > 0 ? "..." : failCount > 0 ? "  X" : " ok";
  return `${mark} ${name.padEnd(20)} ${counts.join(", ")} in ${fileCount} files, ${seconds} s`;
}
