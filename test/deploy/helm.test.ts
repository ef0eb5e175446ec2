import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Schema from "typebox/schema";
import { parse, parseAllDocuments } from "yaml";
import { version } from "../../package.json";
import { missingProgram, testNeeding } from "../harness/requirements.ts";
import { render } from "./chart.ts";

const folder = join(import.meta.dir, "..", "..", "deploy", "helm", "sluice");
const read = (path: string): string => readFileSync(join(folder, path), "utf8");

interface Values {
  replicas: number;
  database: { secret: string; key: string };
  config: { server: { drain_seconds: number } };
  terminationGraceSeconds: number;
  leaveSeconds: number;
  [name: string]: unknown;
}

const values = parse(read("values.yaml")) as Values;
const chart = parse(read("Chart.yaml")) as { version: string; appVersion: string };
const isAllowed = (given: unknown): boolean =>
  Schema.Compile(JSON.parse(read("values.schema.json"))).Check(given);

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels: Record<string, string> };
  spec: Record<string, unknown>;
  data: Record<string, string>;
}

const off = { enabled: false };
const on = (name: string) => ({ ...(values[name] as object), enabled: true });

/** Manifests for Kubernetes, by their kinds. */
function manifests(changed: object = {}): Map<string, Manifest> {
  return new Map(rendered(changed).map((manifest) => [manifest.kind, manifest]));
}

function rendered(changed: object): Manifest[] {
  const scope = {
    Values: { ...values, ...changed },
    Release: { Name: "mine" },
    Chart: { AppVersion: chart.appVersion },
    readFile: read,
  };
  const texts = readdirSync(join(folder, "templates")).map((name) =>
    render(read(join("templates", name)), scope),
  );
  return texts.flatMap(manifestsIn);
}

function manifestsIn(text: string): Manifest[] {
  return parseAllDocuments(text).flatMap((document) => {
    expect(document.errors).toEqual([]);
    const manifest = document.toJS() as Manifest | null;
    return manifest === null ? [] : [manifest];
  });
}

interface Container {
  image: string;
  env: { name: string; valueFrom?: object }[];
  envFrom?: unknown;
  securityContext: object;
  volumeMounts: { mountPath: string; readOnly?: boolean }[];
  [name: string]: unknown;
}

function podOf(found: Map<string, Manifest>) {
  const { template } = (found.get("StatefulSet")?.spec ?? {}) as {
    template: { spec: Record<string, unknown> & { containers: Container[] } };
  };
  const [container] = template.spec.containers;
  if (!container) throw new Error("the pod has no container");
  return { pod: template.spec, container };
}

function byName(one: Manifest, other: Manifest): number {
  const nameOf = ({ kind, metadata }: Manifest) => `${kind} ${metadata.name}`;
  return nameOf(one) < nameOf(other) ? -1 : 1;
}

describe("the chart", () => {
  test("is of this version, and its own values are allowed", () => {
    expect(chart).toMatchObject({ version, appVersion: version });
    expect(isAllowed(values)).toBe(true);
  });

  test("refuses a second replica without a database that both share, and what it does not know", () => {
    const database = { secret: "sluice-database", key: "url" };
    const shared = { ...values, replicas: 2, database, existingSecret: "sluice" };
    expect(isAllowed(shared)).toBe(true);
    expect(isAllowed({ ...shared, database: values.database })).toBe(false);
    expect(isAllowed({ ...shared, existingSecret: "" })).toBe(false);
    expect(isAllowed({ ...values, replicas: 2 })).toBe(false);
    expect(isAllowed({ ...values, replica: 1 })).toBe(false);
    expect(isAllowed({ ...values, storage: { size: "much" } })).toBe(false);
  });

  test("makes one pod with a volume, a service and a budget, all of one name", () => {
    const found = manifests();
    expect([...found.keys()].toSorted()).toEqual([
      "ConfigMap",
      "PodDisruptionBudget",
      "Service",
      "StatefulSet",
    ]);
    const selector = { "app.kubernetes.io/name": "sluice", "app.kubernetes.io/instance": "mine" };
    for (const { metadata } of found.values()) expect(metadata.labels).toEqual(selector);
    expect(found.get("Service")?.spec["selector"]).toEqual(selector);
    expect(found.get("StatefulSet")?.spec["replicas"]).toBe(1);
    expect(found.get("PodDisruptionBudget")?.spec["maxUnavailable"]).toBe(1);
    expect(parse(found.get("ConfigMap")?.data["sluice.yaml"] ?? "")).toEqual(values.config);
  });

  test("makes nodes of one database, whose address comes by reference", () => {
    const database = { secret: "sluice-database", key: "url" };
    const found = manifests({ replicas: 3, database, existingSecret: "sluice" });
    expect(found.get("StatefulSet")?.spec["replicas"]).toBe(3);
    expect(podOf(found).container.env).toContainEqual({
      name: "SLUICE_DATABASE_URL",
      valueFrom: { secretKeyRef: { name: "sluice-database", key: "url" } },
    });
    expect(JSON.stringify(podOf(manifests()).container.env)).not.toContain("DATABASE");
  });

  test("gives a pod the time of its drain, and probes that know starting from living and serving", () => {
    const { pod, container } = podOf(manifests());
    const { drain_seconds: drain } = values.config.server;
    expect(pod["terminationGracePeriodSeconds"]).toBeGreaterThan(drain + values.leaveSeconds);
    expect(container["lifecycle"]).toEqual({ preStop: { sleep: { seconds: 5 } } });
    expect(container["startupProbe"]).toMatchObject({ httpGet: { path: "/healthz" } });
    expect(container["livenessProbe"]).toMatchObject({ httpGet: { path: "/healthz" } });
    expect(container["readinessProbe"]).toMatchObject({ httpGet: { path: "/readyz" } });
  });

  test("lets the pod do as little as the image is made for", () => {
    const { pod, container } = podOf(manifests());
    expect(pod["securityContext"]).toMatchObject({ runAsNonRoot: true, runAsUser: 10001 });
    expect(pod["automountServiceAccountToken"]).toBe(false);
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
    expect(container.image).toBe(`sluice:${version}`);
    expect(container.volumeMounts.map(({ mountPath }) => mountPath)).toEqual([
      "/data",
      "/etc/sluice",
      "/tmp",
    ]);
  });

  test("takes secrets by reference alone", () => {
    const valueFrom = { secretKeyRef: { name: "vendors", key: "openai" } };
    const extraEnv = [{ name: "OPENAI_KEY", valueFrom }];
    const { container } = podOf(manifests({ existingSecret: "mine-secret", extraEnv }));
    expect(container.envFrom).toEqual([{ secretRef: { name: "mine-secret" } }]);
    expect(container.env).toContainEqual({ name: "OPENAI_KEY", valueFrom });
    expect(podOf(manifests()).container.envFrom).toBeUndefined();
    expect(manifests().has("Secret")).toBe(false);
  });

  test("has its metrics read with the token of an admin, where that is asked for", () => {
    const serviceMonitor = { ...on("serviceMonitor"), labels: { release: "watch" } };
    const found = manifests({ serviceMonitor, podDisruptionBudget: off });
    expect(found.has("PodDisruptionBudget")).toBe(false);
    expect(found.get("ServiceMonitor")?.metadata.labels).toMatchObject({ release: "watch" });
    // The job that the alerts go by.
    expect(found.get("ServiceMonitor")?.spec["jobLabel"]).toBe("app.kubernetes.io/name");
    const authorization = {
      type: "Bearer",
      credentials: { name: "sluice-metrics", key: "token" },
    };
    expect(found.get("ServiceMonitor")?.spec["endpoints"]).toEqual([
      { port: "http", path: "/metrics", interval: "15s", authorization },
    ]);
  });

  test("brings the dashboard and the alerts along, word for word, where they are asked for", () => {
    const [dashboard] = rendered({ dashboard: on("dashboard") }).filter(
      ({ metadata }) => metadata.name === "mine-dashboard",
    );
    expect(dashboard?.kind).toBe("ConfigMap");
    expect(dashboard?.metadata.labels).toMatchObject({ grafana_dashboard: "1" });
    const shown: unknown = JSON.parse(dashboard?.data["sluice.json"] ?? "");
    expect(shown).toEqual(JSON.parse(read("../../grafana/sluice.json")));
    const alerts = { ...on("alerts"), labels: { release: "watch" } };
    const rule = manifests({ alerts }).get("PrometheusRule");
    expect(rule?.apiVersion).toBe("monitoring.coreos.com/v1");
    expect(rule?.metadata.labels).toMatchObject({ release: "watch" });
    expect(rule?.spec).toEqual(parse(read("../../prometheus/alerts.yaml")));
  });

  test("leaves the dashboard and the alerts out by default, and knows what may be said of them", () => {
    expect(rendered({})).toHaveLength(4);
    expect(manifests().has("PrometheusRule")).toBe(false);
    expect(isAllowed({ ...values, alerts: on("alerts"), dashboard: on("dashboard") })).toBe(true);
    expect(isAllowed({ ...values, alerts: { enabled: "yes" } })).toBe(false);
    expect(isAllowed({ ...values, dashboard: { enabled: true, labels: {} } })).toBe(false);
  });

  const testWithHelm = testNeeding("helm", missingProgram("helm"));
  testWithHelm("is what the real helm takes, and makes the same of", () => {
    const helm = "helm";
    const lint = Bun.spawnSync([helm, "lint", "--strict", folder]);
    expect(`${lint.exitCode} ${lint.stdout.toString()}`).toStartWith("0 ");
    const all = ["serviceMonitor", "dashboard", "alerts"];
    const switches = all.flatMap((name) => ["--set", `${name}.enabled=true`]);
    const made = Bun.spawnSync([
      helm,
      "template",
      "mine",
      folder,
      "--kube-version=1.30.0",
      ...switches,
    ]);
    const byHelm = manifestsIn(made.stdout.toString());
    const byUs = rendered(Object.fromEntries(all.map((name) => [name, on(name)])));
    expect(byHelm.toSorted(byName)).toEqual(byUs.toSorted(byName));
  });
});
