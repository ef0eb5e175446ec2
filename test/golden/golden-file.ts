// Files that hold what a test expects. `UPDATE=1 bun test test/golden` writes them anew; they are
// read by people before they are kept.
import { expect } from "bun:test";
import { mkdir } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { folder } from "./matrix.ts";

const isUpdate = process.env["UPDATE"] === "1";

/** The JSON's layout does not matter, its content does. */
export async function expectGoldenJson(path: string, actual: unknown): Promise<void> {
  const text = JSON.stringify(actual);
  if (isUpdate) await write(path, `${text}\n`);
  const expected: unknown = JSON.parse(await read(path));
  expect(JSON.parse(text)).toEqual(expected);
}

export async function expectGoldenText(path: string, actual: string): Promise<void> {
  if (isUpdate) await write(path, actual);
  expect(actual).toBe(await read(path));
}

async function read(path: string): Promise<string> {
  const file = Bun.file(join(folder, path));
  if (!(await file.exists())) throw new Error(`${path} is missing: run with UPDATE=1 and read it`);
  return file.text();
}

async function write(path: string, text: string): Promise<void> {
  const place = join(folder, path);
  await mkdir(dirname(place), { recursive: true });
  await Bun.write(place, text);
  if (!path.endsWith(".json")) return;
  const root = join(folder, "..", "..");
  const command = [process.execPath, "fmt", "--no-script", relative(root, place)];
  const { success, stderr } = Bun.spawnSync(command, { cwd: root });
  if (!success) throw new Error(`${path} could not be formatted: ${stderr.toString()}`);
}
