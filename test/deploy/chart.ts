// Renders the chart where there is no helm: as much of Go's templates as the chart uses, and nothing
// else. What it does not know is an error, so the chart cannot use more in silence.
import { stringify } from "yaml";

export interface ChartScope {
  Values: unknown;
  Release: { Name: string };
  Chart: { AppVersion: string };
  /** A file of the chart. */
  readFile(path: string): string;
}

export function render(template: string, scope: ChartScope): string {
  // The innermost block first; a dash takes the white space before it away.
  const block = /\s*\{\{- if ([^}]+) \}\}((?:(?!\{\{- if )[^])*?)\s*\{\{- end \}\}/;
  let whole = template;
  while (block.test(whole)) {
    whole = whole.replace(block, (_, condition: string, body: string) =>
      isTrue(evaluate(condition, scope)) ? body : "",
    );
  }
  return whole.replace(/\{\{ ([^}]+) \}\}/g, (_, words: string) => shown(evaluate(words, scope)));
}

function evaluate(words: string, scope: ChartScope): unknown {
  const [path = "", ...steps] = words.split("|").map((step) => step.trim());
  const [, file] = /^\.Files\.Get "([^"]+)"$/.exec(path) ?? [];
  const first = file === undefined ? lookUp(path, scope) : scope.readFile(file);
  return steps.reduce<unknown>((value, step) => apply(step, value, scope), first);
}

function apply(step: string, value: unknown, scope: ChartScope): unknown {
  const [name = "", argument = ""] = step.split(" ");
  switch (name) {
    case "toYaml":
      return stringify(value, { sortMapEntries: true }).trimEnd();
    case "indent":
      return shown(value).replace(/^/gm, " ".repeat(Number(argument)));
    case "sha256sum":
      return new Bun.CryptoHasher("sha256").update(shown(value)).digest("hex");
    case "default":
      return isTrue(value) ? value : lookUp(argument, scope);
    default:
      throw new Error(`the chart uses ${name}, which is not known here`);
  }
}

function lookUp(path: string, scope: ChartScope): unknown {
  if (!/^(?:\.\w+)+$/.test(path)) throw new Error(`${path} is not known here`);
  const found = path
    .slice(1)
    .split(".")
    .reduce<unknown>(
      (value, name) => (value as Record<string, unknown> | undefined)?.[name],
      scope,
    );
  if (found === undefined) throw new Error(`there is no ${path}`);
  return found;
}

function isTrue(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : String(value);
}
