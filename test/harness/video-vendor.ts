// A video upstream at work against a vendor over real HTTP, with a clock that only tests move.
import type { Clock } from "../../src/core/clock.ts";
import { systemTimers } from "../../src/core/clock.ts";
import type { Json } from "../../src/core/json.ts";
import type { VideoJob } from "../../src/families/video-job.ts";
import type { JobLine } from "../../sandbox/jobs.ts";
import { startSandbox, type Sandbox } from "../../sandbox/server.ts";
import type { VendorReply, VendorRequest, VideoCall } from "../../src/upstreams/upstream.ts";

export { png as tinyPng } from "./samples.ts";

export const vendorKey = "sk-sandbox-video";

export class VideoVendor implements AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly #type: string;
  #nowMs = 1_790_000_000_000;

  constructor(type: string) {
    this.#type = type;
    const clock: Clock = { nowMs: () => this.#nowMs, monotonicMs: () => this.#nowMs };
    this.sandbox = startSandbox({ port: 0, clock, timers: systemTimers, paceMs: 0 });
  }

  pass(seconds: number): void {
    this.#nowMs += seconds * 1000;
  }

  call(change: { key?: string; taskId?: string; model?: string } = {}): VideoCall {
    return videoCall(`${this.sandbox.url}/${this.#type}`, change);
  }

  async jobs(): Promise<JobLine[]> {
    const response = await fetch(`${this.sandbox.url}/sandbox/jobs`);
    return (await response.json()) as JobLine[];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.sandbox.close();
  }
}

export function videoCall(
  baseUrl: string,
  { key = vendorKey, taskId = "task_1", model = "some-model" } = {},
): VideoCall {
  const target = { baseUrl, key, headers: {} };
  return { taskId, model, target, nowSeconds: 1_790_000_000, send };
}

export async function send({ method, address, body }: VendorRequest): Promise<VendorReply> {
  const isJson = body !== undefined && !(body instanceof FormData);
  const response = await fetch(address.url, {
    method,
    headers: { ...address.headers, ...(isJson ? { "content-type": "application/json" } : {}) },
    ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : body }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, json: parsed(text) };
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}

export function videoJob(said: Partial<VideoJob> = {}): VideoJob {
  return {
    model: "public-model",
    prompt: "A fox in the snow",
    negativePrompt: null,
    seconds: null,
    size: null,
    ratio: null,
    resolution: null,
    tier: null,
    audio: null,
    watermark: null,
    seed: null,
    media: [],
    extras: {},
    ...said,
  };
}
