// Each assertion round a movement of money, and each step of one, is needed: a build of the very
// file without it lets a wrong movement pass, or leads elsewhere.
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AssertionError } from "../../src/core/assert.ts";
import * as genuine from "../../src/quota/movement.ts";
import type { Wallet } from "../../src/quota/balance.ts";
import { purseOf, right, wrong, type Movement } from "./movements.ts";

const root = join(import.meta.dir, "../../src");
const source = await Bun.file(join(root, "quota/movement.ts")).text();
const folder = mkdtempSync(join(tmpdir(), "sluice-movement-"));
const atAssert = JSON.stringify(join(root, "core/assert.ts"));
const atCap = JSON.stringify(join(root, "quota/cap.ts"));

afterAll(() => rmSync(folder, { recursive: true }));

function sumsOf({ account, key, caps }: Wallet): number[] {
  const { availableMicros, heldMicros, spentMicros, unwrittenMicros, grantedMicros } = account;
  const ofOthers = [key, ...caps].flatMap((other) => [
    other.heldMicros,
    other.spentMicros,
    other.unwrittenMicros,
  ]);
  return [availableMicros, heldMicros, spentMicros, unwrittenMicros, grantedMicros, ...ofOthers];
}

/** Each cap moves as the key does, from where there is 100 more of everything, or as is said. */
function whole({ leadsTo, capsLeadTo }: (typeof right)[string], { caps }: Wallet): number[] {
  const asKey = () => caps.flatMap(() => leadsTo.slice(-3).map((micros) => micros + 100));
  return [...leadsTo, ...(capsLeadTo ?? asKey())];
}

/** Whether the movement leads where it should. */
function isRight(movement: Movement, said: (typeof right)[string]): boolean {
  const wallet = purseOf();
  try {
    said.move(movement, wallet);
  } catch (error) {
    if (!(error instanceof AssertionError)) throw error;
  }
  return Bun.deepEquals(sumsOf(wallet), whole(said, wallet));
}

/** Whether the movement was refused with nothing moved. */
function isRefused(movement: Movement, { move, of }: (typeof wrong)[string]): boolean {
  const wallet = purseOf(of);
  let moved: Wallet = wallet;
  let before: number[] = [];
  // Some wallets are made wrong by the move itself, before it calls.
  const watched = Object.fromEntries(
    Object.entries(movement).map(([name, call]) => [
      name,
      (given: Partial<Wallet>, ...rest: unknown[]) => {
        moved = { ...wallet, caps: given.caps ?? wallet.caps };
        before = sumsOf(moved);
        return Reflect.apply(call, null, [given, ...rest]);
      },
    ]),
  );
  try {
    move({ ...movement, ...watched }, wallet);
    return false;
  } catch (error) {
    if (!(error instanceof AssertionError)) throw error;
    return Bun.deepEquals(sumsOf(moved), before);
  }
}

describe("a movement", () => {
  for (const [name, movement] of Object.entries(right)) {
    test(`leads where it should when ${name}`, () => {
      expect(isRight(genuine, movement)).toBe(true);
    });
  }

  for (const [name, movement] of Object.entries(wrong)) {
    test(`is refused whole when it is ${name}`, () => {
      expect(isRefused(genuine, movement)).toBe(true);
    });
  }
});

test("money in memory moves in one file", async () => {
  const assigned = /\.(available|held|spent|granted|unwritten)Micros ?([-+]?=[^=]|\+\+|--)/;
  const files = [...new Bun.Glob("**/*.ts").scanSync(root)].filter(
    (path) => !path.endsWith(".test.ts"),
  );
  const moving = [];
  for (const path of files) {
    if (assigned.test(await Bun.file(join(root, path)).text())) moving.push(path);
  }
  expect(moving).toEqual(["quota/movement.ts"]);
});

interface Edit {
  index: number;
  text: string;
  replacement: string;
}

const swapped: Readonly<Record<string, string>> = { " + ": " - ", " - ": " + " };

/** Every assertion and every step left out, and every sum the other way round. */
function* edits(): Generator<Edit> {
  const steps =
    /^ {2,4}assert\w*\([^;]*\);$|^ {2,4}(account|key|cap)\.\w+ [-+]?= [^;]*;$|^ {2}for [^{;]*;$/gm;
  for (const { 0: text, index } of source.matchAll(steps)) yield { index, text, replacement: "" };
  for (const line of source.matchAll(/^ {2,4}const [^;]*;$/gm)) {
    for (const { 0: text, index } of line[0].matchAll(/ [-+] /g)) {
      yield { index: line.index + index, text, replacement: swapped[text] ?? "" };
    }
  }
}

test("no build passes with a step left out or a sum the other way round", async () => {
  const passed: string[] = [];
  let count = 0;
  for (const { index, text, replacement } of edits()) {
    const edited = source.slice(0, index) + replacement + source.slice(index + text.length);
    const path = join(folder, `movement-${count++}.ts`);
    writeFileSync(
      path,
      edited.replace(`"../core/assert.ts"`, atAssert).replace(`"./cap.ts"`, atCap),
    );
    const mutant: Movement = await import(path);
    const isCaught =
      Object.values(right).some((movement) => !isRight(mutant, movement)) ||
      Object.values(wrong).some((movement) => !isRefused(mutant, movement));
    if (!isCaught) passed.push(`${source.slice(0, index).split("\n").length}: ${text.trim()}`);
  }
  expect(passed).toEqual([]);
  expect(count).toBeGreaterThan(65);
});
