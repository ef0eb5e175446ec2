// Large pictures at once: how much memory do they take on their way from the vendor to the client?
import { startImageGateway, type ImageTarget } from "../targets/image-gateway.ts";
import { readCpuMicros, readRssBytes, watchRss } from "./process-usage.ts";

/** Ways in which the client wants them. */
export const imageWays = ["b64_json", "url", "stream"] as const;
type ImageWay = (typeof imageWays)[number];

interface ImagePass {
  readonly served: number;
  readonly errors: number;
  readonly seconds: number;
  readonly cpuMillisEach: number;
  readonly rssBytesPeak: number;
}

export interface Images {
  readonly atOnce: number;
  readonly rounds: number;
  /** Size of one picture as base64. */
  readonly base64Bytes: number;
  readonly rssBytesIdle: number;
  readonly passes: Readonly<Record<ImageWay, ImagePass>>;
}

const rounds = 3;
/** Three bytes for each pixel of 3840 x 2160. */
const pictureBytes = 3840 * 2160 * 3;
const base64Bytes = Math.ceil(pictureBytes / 3) * 4;

export async function measureImages(atOnce: number, folder: string): Promise<Images> {
  const target = await startImageGateway(folder);
  await askOne(target, "url");
  const rssBytesIdle = readRssBytes(target.pid);
  const passes = {} as Record<ImageWay, ImagePass>;
  for (const way of imageWays) {
    console.error(`${atOnce} large images at once, ${way}`);
    passes[way] = await measureWay(target, way, atOnce);
  }
  return { atOnce, rounds, base64Bytes, rssBytesIdle, passes };
}

async function measureWay(target: ImageTarget, way: ImageWay, atOnce: number): Promise<ImagePass> {
  const memory = watchRss(target.pid);
  const cpuBefore = readCpuMicros(target.pid);
  const startMs = performance.now();
  let served = 0;
  try {
    for (let round = 0; round < rounds; round++) {
      const all = Array.from({ length: atOnce }, () => askOne(target, way));
      served += (await Promise.all(all)).filter((isWhole) => isWhole).length;
    }
    const asked = atOnce * rounds;
    return {
      served,
      errors: asked - served,
      seconds: (performance.now() - startMs) / 1_000,
      cpuMillisEach: (readCpuMicros(target.pid) - cpuBefore) / 1_000 / asked,
      rssBytesPeak: memory.stop(),
    };
  } finally {
    memory.stop();
  }
}

/** True when all of the picture came; what comes is counted and let go. */
async function askOne({ port, headers, model }: ImageTarget, way: ImageWay): Promise<boolean> {
  const said = way === "stream" ? { stream: true } : { response_format: way };
  const response = await fetch(`http://127.0.0.1:${port}/v1/images/generations`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ model, prompt: "A boat in a lock.", ...said }),
  });
  if (response.status !== 200) return false;
  if (way === "url") {
    const { data } = (await response.json()) as { data: { url: string }[] };
    return (await countBytes(await fetch(data[0]?.url ?? ""))) === pictureBytes;
  }
  return (await countBytes(response)) >= base64Bytes;
}

async function countBytes({ body }: Response): Promise<number> {
  let bytes = 0;
  for await (const piece of body ?? []) bytes += piece.length;
  return bytes;
}
