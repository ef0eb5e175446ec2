// Nothing of the machine on which a file was written may stay in it: no path, no package mirror.
import type { Finding, TextFile } from "./source.ts";

/** Only from the root: the same words deeper in an address or a relative path are innocent. */
const machinePath = /(?<![\w.~@}-])\/(?:root|work|home\/[a-z][\w.-]*|Users\/\w[\w.-]*)\//;
const registryHost = /\bregistry\.[\w-]+\.(?:org|com|net|io|dev)\b/;
const registrySetting = /^\s*(?:@[\w-]+:)?registry\s*=/;

export function machineFindings(files: readonly TextFile[]): Finding[] {
  return files.flatMap((file) => [
    ...findLines(file, machinePath, "names a path of one machine"),
    ...findLines(file, registryHost, "names a package registry"),
    ...(/\.(?:npmrc|toml)$/.test(file.path)
      ? findLines(file, registrySetting, "chooses a package registry")
      : []),
  ]);
}

export function lockFindings(files: readonly TextFile[]): Finding[] {
  return files
    .filter(({ path }) => path.endsWith("package-lock.json"))
    .flatMap((file) => findLines(file, /"resolved":\s*"https?:/, "is bound to one registry"));
}

function findLines({ path, text }: TextFile, pattern: RegExp, what: string): Finding[] {
  return text
    .split("\n")
    .flatMap((line, index) => (pattern.test(line) ? [{ path, line: index + 1, what }] : []));
}
