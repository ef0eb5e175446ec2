// Problems of a configuration: every problem at once, each with its place, none with a value.
import { scrub } from "../core/log.ts";

export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    const safe = problems.map(scrub);
    super(safe.join("\n"));
    this.problems = safe;
  }
}

/** "; did you mean x?" when one of the known names is close, else nothing. */
export function suggest(name: string, known: readonly string[]): string {
  let best = "";
  let bestDistance = Infinity;
  for (const candidate of known) {
    const distance = editDistance(plain(name), plain(candidate));
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  const allowed = Math.max(1, Math.floor(plain(best).length / 3));
  return bestDistance <= allowed ? `; did you mean ${best}?` : "";
}

// Case, dashes and underscores are what people mix up first, so they do not count.
function plain(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, "").slice(0, 64);
}

/** Damerau-Levenshtein: how many letters to add, drop, change or swap with their neighbour. */
function editDistance(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, at) => at)];
  const cell = (row: number, column: number): number => rows[row]?.[column] ?? Infinity;
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    rows.push(current);
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current.push(
        Math.min(
          cell(row - 1, column) + 1,
          cell(row, column - 1) + 1,
          cell(row - 1, column - 1) + (isSame ? 0 : 1),
          isSwap ? cell(row - 2, column - 2) + 1 : Infinity,
        ),
      );
    }
  }
  return cell(from.length, to.length);
}
