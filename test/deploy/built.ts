// The one executable, built once for all tests of a run, and run as on a machine that has nothing
// else: no packages, no sources, no variables.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dir, "..", "..");
const buildMsMax = 240_000;

/** Time limit of a test that may have to build first. */
export const builtMsMax = buildMsMax + 60_000;

let building: Promise<string> | null = null;

/** The folder with what `npm run build` makes; it goes away with this process. */
export async function builtFolder(): Promise<string> {
  if (building === null) {
    const folder = mkdtempSync(join(tmpdir(), "sluice-built-"));
    process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
    building = build(folder);
  }
  return await building;
}

/** Another one, from the same sources. */
export async function build(folder: string): Promise<string> {
  const command = ["node", join(root, "bin", "build.mjs"), "--out", folder];
  const child = Bun.spawn(command, {
    // Not where the sources lie: nothing may depend on where it is called.
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    signal: AbortSignal.timeout(buildMsMax),
  });
  const [code, said] = await Promise.all([child.exited, child.stderr.text()]);
  if (code !== 0) throw new Error(`the build failed:\n${said}`);
  return folder;
}

export interface Ended {
  code: number;
  out: string;
  error: string;
}

/** One command of the built file, in a folder, without any variable but those given. */
export async function runBuilt(
  folder: string,
  words: readonly string[],
  environment: Record<string, string> = {},
): Promise<Ended> {
  const file = join(await builtFolder(), "sluice");
  const child = Bun.spawn([file, ...words], {
    cwd: folder,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [code, out, error] = await Promise.all([
    child.exited,
    child.stdout.text(),
    child.stderr.text(),
  ]);
  return { code, out, error };
}
