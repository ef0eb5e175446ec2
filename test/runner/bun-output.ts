// Reads what `bun test` prints: the result of each test, and the output of those that failed.

export interface TestFailure {
  file: string;
  test: string;
  /** The last lines before the result, where Bun prints the error. */
  lines: readonly string[];
}

export interface SkippedTest {
  file: string;
  test: string;
}

const failureLinesMax = 80;
const fileLine = /^(\S+\.test\.tsx?):$/;
const resultLine = /^\((pass|fail|skip|todo)\) (.*?)(?: \[[\d.]+ ?m?s\])?$/;
/** From here on Bun repeats what it has said. */
const repeatLine = /^\d+ tests? (?:failed|skipped|todo).*:$/;
/** A pattern of names that fits no test of these files. */
const noMatchLine = /^error: regex .* matched 0 tests/;
const strayErrorLine = /^# Unhandled error/;
const outsideOfTests = "(outside of its tests)";

export class BunOutput {
  passCount = 0;
  readonly failures: TestFailure[] = [];
  readonly skipped: SkippedTest[] = [];
  /** Bun prints a sum at its end; a process that died has printed none. */
  hasEnded = false;
  /** The file whose tests run. */
  file = "";
  #isRepeating = false;
  #hasNoMatch = false;
  /** Lines since the last result. */
  #lines: string[] = [];

  /** The result that the line is, if any. */
  addLine(line: string): "pass" | "fail" | "skip" | null {
    this.hasEnded ||= line.startsWith("Ran ");
    this.#hasNoMatch ||= noMatchLine.test(line);
    this.#isRepeating ||= repeatLine.test(line);
    if (this.#isRepeating) return null;
    const file = fileLine.exec(line)?.[1];
    if (file !== undefined) {
      this.#addStrayError();
      this.file = file;
      return null;
    }
    const [, result, test = ""] = resultLine.exec(line) ?? [];
    if (result === undefined) {
      this.#lines.push(line);
      if (this.#lines.length > failureLinesMax) this.#lines.shift();
      return null;
    }
    return this.#addResult(result, test);
  }

  /** After the last line. */
  finish(exitCode: number): void {
    if (this.#hasNoMatch) return;
    if (!this.hasEnded) this.#addFailure(`(the process ended with ${exitCode} before its tests)`);
    else this.#addStrayError();
    if (exitCode !== 0 && this.failures.length === 0) this.#addFailure(outsideOfTests);
  }

  #addFailure(test: string): void {
    this.failures.push({ file: this.file, test, lines: this.#lines });
  }

  #addResult(result: string, test: string): "pass" | "fail" | "skip" {
    const [file, lines] = [this.file, this.#lines];
    this.#lines = [];
    if (result === "pass") {
      this.passCount++;
      return "pass";
    }
    if (result === "fail") {
      this.failures.push({ file, test, lines });
      return "fail";
    }
    this.skipped.push({ file, test });
    return "skip";
  }

  #addStrayError(): void {
    const lines = this.#lines;
    this.#lines = [];
    if (!lines.some((line) => strayErrorLine.test(line))) return;
    this.failures.push({ file: this.file, test: outsideOfTests, lines });
  }
}
