// Each package we lean on is pinned to one version and has its reason written down.
import type { Finding, TextFile } from "./source.ts";

const reasons = "docs/dependencies.md";
const kinds = ["dependencies", "devDependencies", "optionalDependencies"] as const;
/** A second major of a package stands under a name of its own. */
const exactVersion = /^(?:npm:[@\w./-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/;

type Manifest = Partial<Record<(typeof kinds)[number], Record<string, string>>>;

export function dependencyFindings(files: readonly TextFile[]): Finding[] {
  const words = wordsOf(files.find(({ path }) => path === reasons)?.text ?? "");
  return files
    .filter(({ path }) => /(?:^|\/)package\.json$/.test(path))
    .flatMap((file) =>
      dependenciesOf(file).flatMap(([name, version]) => {
        const line = file.text.slice(0, file.text.indexOf(`"${name}":`)).split("\n").length;
        const faults = [];
        if (!exactVersion.test(version)) faults.push(`${name} is not pinned: ${version}`);
        if (!words.has(name)) faults.push(`${name} has no line in ${reasons}`);
        return faults.map((what) => ({ path: file.path, line, what }));
      }),
    );
}

function dependenciesOf({ text }: TextFile): [string, string][] {
  const manifest = JSON.parse(text) as Manifest;
  return kinds.flatMap((kind) => Object.entries(manifest[kind] ?? {}));
}

/** Package names are told from prose by being whole words between spaces, pipes or quotes. */
function wordsOf(text: string): Set<string> {
  return new Set(text.split(/[\s|`"'()[\],;:*]+/));
}
