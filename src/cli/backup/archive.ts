// Folders as .tar.gz, by the tar that every system has.
import { ControlError } from "../control-client.ts";

export function isArchive(path: string): boolean {
  return /\.(?:tar\.gz|tgz)$/.test(path);
}

export async function pack(folder: string, archive: string): Promise<void> {
  await tar(["-czf", archive, "-C", folder, "."]);
}

export async function unpack(archive: string, folder: string): Promise<void> {
  await tar(["-xzf", archive, "-C", folder, "--no-same-owner"]);
}

async function tar(words: readonly string[]): Promise<void> {
  let child;
  try {
    child = Bun.spawn(["tar", ...words], { stdin: "ignore", stdout: "ignore", stderr: "pipe" });
  } catch {
    throw new ControlError("an archive needs the program tar: name a folder instead");
  }
  const [code, said] = await Promise.all([child.exited, child.stderr.text()]);
  if (code !== 0) throw new ControlError(`tar failed: ${said.trim()}`);
}
