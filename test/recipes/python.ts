// Programs in Python, each with packages of its own beside those of npm.
import { existsSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dir, "node_modules", ".python");

/** The folder of its programs; installs them where they are not there yet. */
export function pythonWith(requirement: string): string {
  const place = join(folder, requirement.replaceAll("=", "-"));
  const programs = join(place, "bin");
  const whole = join(place, "installed");
  if (existsSync(whole)) return programs;
  run(["python3", "-m", "venv", "--clear", place]);
  run([join(programs, "pip"), "install", "--quiet", "--disable-pip-version-check", requirement]);
  run(["touch", whole]);
  return programs;
}

function run(command: string[]): void {
  const { exitCode } = Bun.spawnSync(command, { stdout: "inherit", stderr: "inherit" });
  if (exitCode !== 0) throw new Error(`${command.join(" ")} ended with ${exitCode}`);
}
