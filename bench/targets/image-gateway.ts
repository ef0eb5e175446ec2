// A gateway of its own for images, in front of a vendor whose every answer is a large picture: what
// it did before must not show in its memory.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readPort, startScript } from "../children.ts";
import { launchGateway, rootKey } from "./start.ts";
import type { Target } from "./target.ts";

export interface ImageTarget extends Target {
  readonly model: string;
}

const model = "imageA-2";

export async function startImageGateway(runFolder: string): Promise<ImageTarget> {
  const vendorPort = await readPort(startScript("image-vendor.ts", []));
  const folder = join(runFolder, "images");
  mkdirSync(folder);
  const path = join(folder, "sluice.yaml");
  writeFileSync(path, renderConfig(vendorPort));
  const { pid, port } = await launchGateway(folder, { SLUICE_CONFIG: path });
  return { name: "gateway", pid, port, headers: { Authorization: `Bearer ${rootKey}` }, model };
}

function renderConfig(vendorPort: number): string {
  return `
channels:
  - name: bench
    type: openai
    base_url: http://127.0.0.1:${vendorPort}
    key: sk-vendor
    models: [${model}]
    allow_private: true
`;
}
