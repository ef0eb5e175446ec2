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
    .flatMap((file) => [
      ...findLines(file, /"resolved":\s*"https?:/, "is bound to one registry"),
      ...lackFindings(file),
    ]);
}

interface LockedPackage {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

/** Also what only other platforms need: `npm ci` asks for it on all of them. */
function lackFindings({ path, text }: TextFile): Finding[] {
  const { packages = {} } = JSON.parse(text) as { packages?: Record<string, LockedPackage> };
  return Object.entries(packages).flatMap(([place, locked]) =>
    namesIn(locked)
      .filter((name) => !placesOf(name, place).some((one) => Object.hasOwn(packages, one)))
      .map((name) => {
        const what = `lacks ${name}, which ${place || "it"} asks for: npm ci refuses it`;
        return { path, line: 1, what };
      }),
  );
}

function namesIn(locked: LockedPackage): string[] {
  const { peerDependencies = {}, peerDependenciesMeta = {} } = locked;
  const peers = Object.keys(peerDependencies).filter(
    (name) => !peerDependenciesMeta[name]?.optional,
  );
  const { dependencies, devDependencies, optionalDependencies } = locked;
  const names = { ...dependencies, ...devDependencies, ...optionalDependencies };
  return [...Object.keys(names), ...peers];
}

/** Folders in which Node looks for a package that is asked for there, nearest first. */
function placesOf(name: string, place: string): string[] {
  const own = `${place === "" ? "" : `${place}/`}node_modules/${name}`;
  if (place === "") return [own];
  const above = place.lastIndexOf("node_modules/");
  return [own, ...placesOf(name, place.slice(0, Math.max(above - 1, 0)))];
}

function findLines({ path, text }: TextFile, pattern: RegExp, what: string): Finding[] {
  return text
    .split("\n")
    .flatMap((line, index) => (pattern.test(line) ? [{ path, line: index + 1, what }] : []));
}
