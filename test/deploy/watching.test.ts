// The dashboard and the alert rules name only what a running gateway tells, and every alert has its
// entry in the runbook.
import { beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { missingProgram, testNeeding } from "../harness/requirements.ts";
import { chatBody } from "../harness/ask.ts";
import { eventually } from "../harness/books.ts";
import { completion, delta, Vendor } from "../harness/vendor.ts";
import { create, idOf, prompt, reaches, slowPrompt, startVideos } from "../harness/videos.ts";
import { kept, useStand } from "../harness/nodes/stand.ts";

const root = join(import.meta.dir, "..", "..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");

interface Panel {
  title: string;
  targets?: { expr: string; legendFormat: string }[];
}

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}

/** A question to Prometheus, and the words that show its answer. */
interface Question {
  place: string;
  expr: string;
  shown: string;
}

const dashboard = JSON.parse(read("deploy/grafana/sluice.json")) as { panels: Panel[] };
const alerts = parse(read("deploy/prometheus/alerts.yaml")) as { groups: { rules: Rule[] }[] };
const rules = alerts.groups.flatMap((group) => group.rules);
const questions: Question[] = [
  ...dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat }) => ({ place: title, expr, shown: legendFormat })),
  ),
  ...rules.map(({ alert, expr, annotations }) => {
    return { place: alert, expr, shown: annotations.summary.replaceAll("$labels.", "") };
  }),
];

const config = `
prices:
  - { model: m, input_micros_per_million: 1000000, output_micros_per_million: 1000000 }
  - { model: videoB-2, second_micros: 100 }
`;

const vendor = kept(
  new Vendor((request, reply) => {
    if (request.headers["authorization"]?.endsWith("dead")) {
      return reply.json({ error: { message: "no", code: "invalid_api_key" } }, 401);
    }
    if (request.body["stream"] !== true) {
      const usage = { prompt_tokens: 9e9, completion_tokens: 1, total_tokens: 9e9 };
      return reply.json(completion("Yes.", usage));
    }
    reply.stream();
    reply.event(delta({ role: "assistant", content: "Half" }));
    reply.cut();
  }),
);
/** The labels that each metric has, with the values they were seen with. */
let told: Map<string, Map<string, Set<string>>>;

const stand = useStand(() => startVideos(config));

beforeAll(async () => {
  const { gateway } = stand;
  const channel = vendor.channel({ models: ["m"], key: undefined, keys: ["sk-dead", "sk-alive"] });
  await gateway.control("POST", "/api/channel", channel);
  for (const stream of [false, true, false]) {
    await (await gateway.post("/v1/chat/completions", chatBody("m", { stream }))).text();
  }
  await (await gateway.post("/v1/chat/completions", chatBody("m"), "sk-nobody")).text();
  const made = await create(gateway, { model: "videoB-2", prompt });
  await reaches(gateway, idOf(made), "completed");
  await create(gateway, { model: "videoB-2", prompt: slowPrompt });
  told = await eventually("a disabled key", async () => {
    const scraped = samplesOf(await (await fetch(`${gateway.url}/metrics`)).text());
    return scraped.has("sluice_channel_key_disabled") ? scraped : undefined;
  });
});

function samplesOf(text: string): Map<string, Map<string, Set<string>>> {
  const metrics = new Map<string, Map<string, Set<string>>>();
  for (const [, name = "", labels = ""] of text.matchAll(/^([a-z_]+)(?:\{(.*)\})? \S+$/gm)) {
    const known = metrics.get(name) ?? new Map<string, Set<string>>();
    metrics.set(name, known);
    for (const [, label = "", value = ""] of labels.matchAll(/(\w+)="([^"]*)"/g)) {
      known.set(label, (known.get(label) ?? new Set()).add(value));
    }
  }
  return metrics;
}

/** Labels that Prometheus itself adds. */
const isAdded = (label: string): boolean => label === "job" || label === "instance";
/** States and ends that a short test does not see. */
const isRare = (metric: string): boolean => metric.startsWith("sluice_tasks_");

function unknownIn({ expr, shown }: Question): string[] {
  const unknown: string[] = [];
  const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = ""]) =>
    list.split(/,\s*/),
  );
  const named = [...shown.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map(([, label = ""]) => label);
  for (const [, metric = "", matchers = ""] of expr.matchAll(/\b(sluice_\w+)(?:\{([^}]*)\})?/g)) {
    const labels = told.get(metric);
    if (!labels) unknown.push(metric);
    for (const label of [...grouped, ...named]) {
      if (!labels?.has(label) && !isAdded(label)) unknown.push(`${metric}{${label}}`);
    }
    for (const [, label = "", values = ""] of matchers.matchAll(/(\w+)=~?"([^"]*)"/g)) {
      if (isAdded(label) || (isRare(metric) && labels?.has(label))) continue;
      const missing = values.split("|").filter((value) => !labels?.get(label)?.has(value));
      unknown.push(...missing.map((value) => `${metric}{${label}="${value}"}`));
    }
  }
  return unknown;
}

describe("watching", () => {
  test("every metric, label and value that the dashboard and the alerts name is told by a gateway", () => {
    expect(questions.length).toBeGreaterThan(50);
    const unknown = questions.map((question) => ({
      place: question.place,
      unknown: unknownIn(question),
    }));
    expect(unknown.filter((entry) => entry.unknown.length > 0)).toEqual([]);
  });

  test("a metric or a label that is not there would be found", () => {
    const ask = (expr: string, shown = "") => unknownIn({ place: "", expr, shown });
    expect(ask("rate(sluice_nothing_total[5m])")).toEqual(["sluice_nothing_total"]);
    expect(ask("sum by (key) (sluice_streams_open)")).toEqual(["sluice_streams_open{key}"]);
    expect(ask('sluice_tokens_total{kind="none"}')).toEqual(['sluice_tokens_total{kind="none"}']);
    expect(ask("sluice_streams_open", "of {{channel}}")).toEqual(["sluice_streams_open{channel}"]);
  });

  test("all questions can be asked of one job, and panels have their own ids", () => {
    const { panels } = dashboard as unknown as { panels: (Panel & { id: number })[] };
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const exprs = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    expect(exprs.filter((expr) => /sluice_\w+(?!\w|\{job=~"\$job")/.test(expr))).toEqual([]);
  });

  test("every alert has its entry in the runbook, and every entry its alert", () => {
    const page = read("docs/operate.md");
    const [, runbook = ""] = page.split("\n## Runbook\n");
    const section = runbook.split("\n## ")[0] ?? "";
    const entries = [...section.matchAll(/^### (\w+)$/gm)].map(([, name]) => name);
    expect(entries.toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
    for (const { alert, annotations, labels } of rules) {
      expect(annotations.runbook).toBe(`docs/operate.md#${alert.toLowerCase()}`);
      expect(["warning", "critical"]).toContain(labels.severity);
    }
  });

  const testWithPromtool = testNeeding("promtool", missingProgram("promtool"));
  testWithPromtool("the rules are what the real promtool takes", () => {
    const path = join(root, "deploy", "prometheus", "alerts.yaml");
    const { exitCode, stderr } = Bun.spawnSync(["promtool", "check", "rules", path]);
    expect(`${exitCode} ${stderr.toString()}`).toBe("0 ");
  });

  test("money is told as it is spent, held and lost, by model and channel", () => {
    expect(told.get("sluice_lost_micros_total")?.get("model")).toContain("m");
    const name = String(vendor.channel()["name"]);
    expect(told.get("sluice_lost_micros_total")?.get("channel")).toContain(name);
    expect(told.get("sluice_channel_spent_micros_total")?.get("channel")).toContain(name);
    expect(told.get("sluice_tasks_ended_total")?.get("kind")).toContain("video");
  });
});
