// A gateway of its own for tasks, in front of a vendor whose videos never end: what it did before
// must not show in its memory.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readPort, startScript } from "../children.ts";
import { launchGateway, rootKey } from "./start.ts";
import type { Target } from "./target.ts";

export interface TaskTarget extends Target {
  readonly vendorPort: number;
  readonly model: string;
}

interface TaskGatewayOptions {
  /** Folder of the run. */
  readonly folder: string;
  /** Between two polls of a task. */
  readonly paceMs: number;
  readonly pollsPerChannel: number;
  /** The most tasks that the one channel may have at once. */
  readonly tasksMax: number;
}

const model = "videoB-2";

export async function startTaskGateway(options: TaskGatewayOptions): Promise<TaskTarget> {
  const vendorPort = await readPort(startScript("task-vendor.ts", []));
  const folder = join(options.folder, "tasks");
  mkdirSync(folder);
  const path = join(folder, "sluice.yaml");
  writeFileSync(path, renderConfig(options, vendorPort));
  const { pid, port } = await launchGateway(folder, { SLUICE_CONFIG: path });
  const headers = { Authorization: `Bearer ${rootKey}` };
  return { name: "gateway", pid, port, headers, vendorPort, model };
}

function renderConfig(options: TaskGatewayOptions, vendorPort: number): string {
  const { paceMs, pollsPerChannel, tasksMax } = options;
  return `
tasks:
  poll_first_ms: ${paceMs}
  poll_most_ms: ${paceMs}
  polls_per_channel: ${pollsPerChannel}
channels:
  - name: bench
    type: openai
    base_url: http://127.0.0.1:${vendorPort}
    key: sk-vendor
    models: [${model}]
    concurrency: ${tasksMax}
    allow_private: true
prices:
  - { model: ${model}, second_micros: 100 }
`;
}
