import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Schema from "typebox/schema";
import { parse, parseAllDocuments } from "yaml";
import { version } from "../../package.json";
import { sayNotRun } from "./aloud.ts";
import { render } from "./chart.ts";

const folder = join(import.meta.dir, "..", "..", "deploy", "helm", "sluice");
const read = (path: string): string => readFileSync(join(folder, path), "utf8");

interface Values {
  replicas: number;
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

/** What Kubernetes is given, by its kinds. */
function manifests(changed: object = {}): Map<string, Manifest> {
  const scope = {
    Values: { ...values, ...changed },
    Release: { Name: "mine" },
    Chart: { AppVersion: chart.appVersion },
  };
  const texts = readdirSync(join(folder, "templates")).map((name) =>
    render(read(join("templates", name)), scope),
  );
  const documents = texts
    .flatMap((text) => parseAllDocuments(text))
    .flatMap((document) => {
      expect(document.errors).toEqual([]);
      const manifest = document.toJS() as Manifest | null;
      return manifest === null ? [] : [manifest];
    });
  return new Map(documents.map((manifest) => [manifest.kind, manifest]));
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

describe("the chart", () => {
  test("is of this version, and its own values are allowed", () => {
    expect(chart).toMatchObject({ version, appVersion: version });
    expect(isAllowed(values)).toBe(true);
  });

  test("refuses a second replica, which would find the data folder taken, and what it does not know", () => {
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
    const serviceMonitor = { ...(values["serviceMonitor"] as object), enabled: true };
    const found = manifests({ serviceMonitor, podDisruptionBudget: { enabled: false } });
    expect(found.has("PodDisruptionBudget")).toBe(false);
    const authorization = {
      type: "Bearer",
      credentials: { name: "sluice-metrics", key: "token" },
    };
    expect(found.get("ServiceMonitor")?.spec["endpoints"]).toEqual([
      { port: "http", path: "/metrics", interval: "15s", authorization },
    ]);
  });

  test("is what the real helm takes, where there is one", () => {
    const helm = Bun.which("helm");
    if (helm === null) return sayNotRun("helm lint", "There is no helm here.");
    const { exitCode, stdout } = Bun.spawnSync([helm, "lint", "--strict", folder]);
    expect(`${exitCode} ${stdout.toString()}`).toStartWith("0 ");
  });
});
