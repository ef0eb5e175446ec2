// Renders the chart where there is no helm: as much of Go's templates as the chart uses, and nothing
// else. What it does not know is an error, so the chart cannot use more in silence.
import { stringify } from "yaml";

export interface ChartScope {
  Values: unknown;
  Release: { Name: string };
  Chart: { AppVersion: string };
}

export function render(template: string, scope: ChartScope): string {
  // Blocks are not nested; a dash takes the white space before it away.
  const whole = template.replace(
    /\s*\{\{- if ([^}]+) \}\}([^]*?)\s*\{\{- end \}\}/g,
    (_, condition: string, body: string) => (isTrue(evaluate(condition, scope)) ? body : ""),
  );
  return whole.replace(/\{\{ ([^}]+) \}\}/g, (_, words: string) => shown(evaluate(words, scope)));
}

function evaluate(words: string, scope: ChartScope): unknown {
  const [path = "", ...steps] = words.split("|").map((step) => step.trim());
  return steps.reduce<unknown>((value, step) => apply(step, value, scope), lookUp(path, scope));
}

function apply(step: string, value: unknown, scope: ChartScope): unknown {
  const [name = "", argument = ""] = step.split(" ");
  switch (name) {
    case "toYaml":
      return stringify(value).trimEnd();
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
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : String(value);
}
