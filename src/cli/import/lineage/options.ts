// The options of a program of this lineage: texts by name, of which only those stand in the table
// that somebody has saved.
import { isObject } from "../../../core/json.ts";
import { objectOf, cellText } from "../cells.ts";
import type { SourceTables } from "../queries.ts";

const unitsPerDollarDefault = 500_000n;

export class Options {
  readonly #texts: ReadonlyMap<string, string>;

  constructor(texts: ReadonlyMap<string, string>) {
    this.#texts = texts;
  }

  text(name: string): string {
    return this.#texts.get(name) ?? "";
  }

  isTrue(name: string): boolean {
    return this.text(name) === "true";
  }

  has(name: string): boolean {
    return this.text(name) !== "";
  }

  /** Numbers by name; null where nobody has saved any. */
  numbers(name: string): Map<string, number> | null {
    const saved = objectOf(this.text(name));
    if (!saved) return null;
    const savedNumbers = Object.entries(saved).filter(([, value]) => typeof value === "number");
    return new Map(savedNumbers.map(([key, value]) => [key, Number(value)]));
  }

  names(name: string): string[] {
    const saved = objectOf(this.text(name));
    if (saved) return Object.keys(saved);
    const list = objectOf(`{"list":${this.text(name) || "[]"}}`);
    const items = isObject(list) ? list["list"] : [];
    return Array.isArray(items) ? items.map(String) : [];
  }

  get unitsPerDollar(): bigint {
    const text = this.text("QuotaPerUnit").trim();
    if (text === "") return unitsPerDollarDefault;
    const whole = /^(\d{1,15})(?:\.0*)?$/.exec(text)?.[1];
    if (whole === undefined || BigInt(whole) === 0n) {
      throw new Error("the option QuotaPerUnit is no whole number, so no balance can be exact");
    }
    return BigInt(whole);
  }
}

export async function readOptions(tables: SourceTables): Promise<Options> {
  const rows = await tables.rows("options", ["key", "value"]);
  return new Options(new Map(rows.map((row) => [cellText(row, "key"), cellText(row, "value")])));
}
