// The registry of metrics and its text in Prometheus' format.
import { assert } from "../core/assert.ts";
import { Counter, Family, Histogram, type Label } from "./instruments.ts";

interface Description {
  name: string;
  help: string;
  labels?: readonly Label[];
}

interface Sample {
  labels?: Readonly<Record<string, string>>;
  value: number;
}

export interface Metrics {
  counter(description: Description): Family<Counter>;
  histogram(description: Description, bounds: readonly number[]): Family<Histogram>;
  /** A metric that is read when it is rendered. */
  watch(type: "counter" | "gauge", description: Description, read: () => readonly Sample[]): void;
  render(): string;
}

export const metricsContentType = "text/plain; version=0.0.4; charset=utf-8";

type Labels = readonly (readonly [name: string, value: string])[];

export function createMetrics(): Metrics {
  const renderers = new Map<string, () => string>();
  function register(type: string, { name, help }: Description, lines: () => string): void {
    assert(!renderers.has(name), `metric registered twice: ${name}`);
    const head = `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
    renderers.set(name, () => head + lines());
  }
  return {
    counter(description) {
      const family = new Family(description.labels ?? [], () => new Counter());
      register("counter", description, () => renderCounters(description.name, family));
      return family;
    },
    histogram(description, bounds) {
      const family = new Family(description.labels ?? [], () => new Histogram(bounds));
      register("histogram", description, () => renderHistograms(description.name, family));
      return family;
    },
    watch(type, description, read) {
      register(type, description, () => renderSamples(description.name, read));
    },
    render: () => Array.from(renderers.values(), (renderer) => renderer()).join(""),
  };
}

function renderCounters(name: string, family: Family<Counter>): string {
  let text = "";
  for (const { values, child } of family.members()) {
    text += line(name, pair(family.labels, values), child.value);
  }
  return text;
}

function renderHistograms(name: string, family: Family<Histogram>): string {
  let text = "";
  for (const { values, child } of family.members()) {
    const labels = pair(family.labels, values);
    const { bounds, cumulative } = child;
    cumulative.forEach((count, at) => {
      const bound = bounds[at] ?? Number.POSITIVE_INFINITY;
      text += line(`${name}_bucket`, [...labels, ["le", renderNumber(bound)]], count);
    });
    text += line(`${name}_sum`, labels, child.sum);
    text += line(`${name}_count`, labels, cumulative.at(-1) ?? 0);
  }
  return text;
}

/** A reading that fails costs its own lines and no others. */
function renderSamples(name: string, read: () => readonly Sample[]): string {
  try {
    const samples = read();
    return samples.map(({ labels, value }) => line(name, toPairs(labels), value)).join("");
  } catch {
    return "";
  }
}

function toPairs(labels: Sample["labels"]): Labels {
  return labels === undefined ? [] : Object.entries(labels);
}

function pair(labels: readonly Label[], values: readonly string[]): Labels {
  return labels.map(({ name }, at) => [name, values[at] ?? ""] as const);
}

function line(name: string, labels: Labels, value: number): string {
  const inner = labels.map(([label, text]) => `${label}="${escapeValue(text)}"`).join(",");
  return `${name}${inner === "" ? "" : `{${inner}}`} ${renderNumber(value)}\n`;
}

function escapeValue(text: string): string {
  return text.replace(/[\\"\n]/g, (character) => (character === "\n" ? "\\n" : `\\${character}`));
}

function renderNumber(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return "+Inf";
  if (value === Number.NEGATIVE_INFINITY) return "-Inf";
  return String(value);
}
