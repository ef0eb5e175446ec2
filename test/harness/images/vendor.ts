// An image upstream at work: against a scripted vendor, or against the sandbox's over real HTTP.
import { systemClock, systemTimers } from "../../../src/core/clock.ts";
import type { JsonObject } from "../../../src/core/json.ts";
import type { ImageJob, JobImage } from "../../../src/families/image-job.ts";
import { type Sandbox, startSandbox } from "../../../sandbox/server.ts";
import type { ImageCall, VendorReply, VendorRequest } from "../../../src/upstreams/upstream.ts";
import { send } from "../video-vendor.ts";

export class ImageVendor implements AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly #type: string;

  constructor(type: string) {
    this.#type = type;
    this.sandbox = startSandbox({ port: 0, clock: systemClock, timers: systemTimers, paceMs: 0 });
  }

  call(change: Partial<ImageCall> = {}): ImageCall {
    return imageCall({ baseUrl: `${this.sandbox.url}/${this.#type}`, send, ...change });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.sandbox.close();
  }
}

/** A vendor that answers as it is told and remembers what it was asked. */
export class ScriptedVendor {
  readonly requests: VendorRequest[] = [];
  readonly #answer: (index: number) => Partial<VendorReply>;

  /** The answer may throw. */
  constructor(answer: (index: number) => Partial<VendorReply>) {
    this.#answer = answer;
  }

  call(change: Partial<ImageCall> = {}): ImageCall {
    const answer = async (request: VendorRequest): Promise<VendorReply> => {
      const index = this.requests.push(request) - 1;
      await Promise.resolve();
      return { status: 200, headers: new Headers(), json: null, ...this.#answer(index) };
    };
    return imageCall({ baseUrl: "https://vendor.test", send: answer, ...change });
  }

  /** The JSON of a request. */
  body(index = 0): JsonObject {
    const body = this.requests[index]?.body;
    if (body === undefined || body instanceof FormData) throw new Error("no JSON was sent");
    return body;
  }

  form(index = 0): FormData {
    const body = this.requests[index]?.body;
    if (!(body instanceof FormData)) throw new Error("no form was sent");
    return body;
  }
}

function imageCall({
  baseUrl,
  ...change
}: Partial<ImageCall> & Pick<ImageCall, "send"> & { baseUrl: string }): ImageCall {
  return {
    reference: "req_1",
    model: "some-model",
    target: { baseUrl, key: "sk-sandbox-image", headers: {} },
    nowSeconds: 1_790_000_000,
    ...change,
  };
}

export function imageJob(said: Partial<ImageJob> = {}): ImageJob {
  return {
    kind: "generate",
    model: "public-model",
    prompt: "A fox in the snow",
    count: 1,
    size: null,
    sizeClass: null,
    ratio: null,
    quality: null,
    watermark: null,
    style: null,
    background: null,
    outputFormat: null,
    seed: null,
    images: [],
    mask: null,
    delivery: null,
    stream: false,
    partialImages: null,
    extras: {},
    ...said,
  };
}

export function fileImage(bytes: Uint8Array, param = "image", type = "image/png"): JobImage {
  return { source: { kind: "bytes", type, base64: Buffer.from(bytes).toString("base64") }, param };
}

export function urlImage(url = "https://images.example/a.png", param = "image"): JobImage {
  return { source: { kind: "url", url }, param };
}
