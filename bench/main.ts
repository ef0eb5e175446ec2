// npm run bench: starts the targets beside one mock vendor, measures them in turn, and prints the
// report.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readPort, startScript, stopChildren } from "./children.ts";
import { measureAffinity } from "./measure/affinity.ts";
import { measureSigning } from "./measure/signing.ts";
import { compare } from "./measure/comparison.ts";
import { measureCluster } from "./measure/cluster.ts";
import { compareConversions } from "./measure/conversions.ts";
import { measureImages } from "./measure/images.ts";
import { measureLogs } from "./measure/logs.ts";
import { measureTasks } from "./measure/tasks.ts";
import { measureCrowd, measureOpenStreams, measureSoak } from "./measure/memory-passes.ts";
import { parseOptions, usageText, type Options, type TargetName } from "./options.ts";
import { renderReport, saveReport } from "./report/render.ts";
import { startTarget } from "./targets/start.ts";
import type { Target } from "./targets/target.ts";
import type { Findings } from "./report/verdicts.ts";

// Far above any honest run; a hang must end by itself.
const runMsMax = 30 * 60_000;

interface Started {
  readonly targets: readonly Target[];
  readonly absent: Partial<Record<TargetName, string>>;
}

async function startTargets(options: Options, folder: string): Promise<Started> {
  const vendorPort = await readPort(startScript("mock-vendor.ts", []));
  const targets: Target[] = [];
  const absent: Partial<Record<TargetName, string>> = {};
  for (const name of options.only)
    try {
      targets.push(await startTarget(name, { vendorPort, folder, against: options.against }));
    } catch (error) {
      absent[name] = error instanceof Error ? error.message : String(error);
      console.error(`${name} is left out: ${absent[name]}`);
    }
  return { targets, absent };
}

async function measureAll(options: Options, folder: string): Promise<Findings> {
  const { targets, absent } = await startTargets(options, folder);
  const findings: Omit<
    Findings,
    "affinity" | "signing" | "conversions" | "cluster" | "tasks" | "logs" | "images"
  > = {
    rounds: await compare(targets, options),
    crowd: {},
    openStreams: {},
    soak: {},
    absent,
    openStreamsAsked: options.openStreams,
  };
  for (const target of targets) {
    console.error(`memory of ${target.name}`);
    findings.crowd[target.name] = await measureCrowd(target, options.seconds);
    if (options.openStreams > 0)
      findings.openStreams[target.name] = await measureOpenStreams(target, options.openStreams);
    // Minutes for a peer whose memory is no goal of ours.
    if (options.isSoak && target.name !== "portkey")
      findings.soak[target.name] = await measureSoak(target);
  }
  // Last, so that the figures of the pass-through are of a gateway that did nothing else.
  const gateway = targets.find(({ name }) => name === "gateway");
  const conversions = await compareConversions(gateway, options);
  // Gateways of their own, beside targets that are idle by now.
  const cluster = options.isClustered ? await measureCluster(options, folder) : undefined;
  const tasks =
    gateway && options.tasks > 0 ? await measureTasks(options.tasks, folder) : undefined;
  const logs = gateway && options.logs > 0 ? await measureLogs(options.logs, folder) : undefined;
  const images =
    gateway && options.images > 0 ? await measureImages(options.images, folder) : undefined;
  const affinity = measureAffinity();
  const signing = measureSigning();
  return { ...findings, affinity, signing, conversions, cluster, tasks, logs, images };
}

async function run(options: Options): Promise<void> {
  if (process.platform !== "linux") throw new Error("the bench reads /proc and needs Linux");
  const folder = mkdtempSync(join(tmpdir(), "sluice-bench-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => void stopChildren().finally(() => process.exit(130)));
  setTimeout(() => process.exit(1), runMsMax).unref();
  try {
    const findings = await measureAll(options, folder);
    const markdown = renderReport(findings, options);
    console.log(markdown);
    const saved = await saveReport(markdown, { options, findings });
    console.error(`saved in ${saved}`);
  } finally {
    await stopChildren();
  }
}

try {
  const options = parseOptions(process.argv.slice(2));
  if (options === undefined) console.log(usageText);
  else await run(options);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
// A PostgreSQL that was started ends with this process, and would keep it waiting.
process.exit();
