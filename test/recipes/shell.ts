// Runs a recipe: a command in a folder of its own, and what it prints.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export async function inFolder(
  command: string[],
  environment: Record<string, string>,
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "sluice-recipe-"));
  try {
    return await output(command, folder, { HOME: folder, ...environment });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function output(
  command: string[],
  cwd: string,
  environment: Record<string, string>,
): Promise<string> {
  const child = Bun.spawn(command, {
    cwd,
    env: { ...process.env, ...environment },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [printed, complaints] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) !== 0) throw new Error(`${printed}${complaints}`);
  return printed;
}
