// Nothing is left out without a word.

export function sayNotRun(what: string, why: string): void {
  process.stderr.write(`NOT RUN: ${what}. ${why}\n`);
}
