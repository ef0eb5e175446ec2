// Requests of the campaign's customers: models of several families, each at a vendor of its own,
// and prompts that say what becomes of the job.
import type { JsonObject } from "../../../src/core/json.ts";

export interface Offer {
  model: string;
  kind: "video" | "image" | "img-f";
  /** The vendor's name in the sandbox, which is also the type of its channels. */
  vendor: string;
  /** The vendor's name for the model; the same name when it is left out. */
  vendorModel?: string;
  micros: number;
  /** The vendor can be asked for a job by our own id. */
  canFind: boolean;
}

const secondMicros = 1000;
const imageMicros = 3000;

function video(model: string, vendor: string, seconds: number, canFind = false): Offer {
  return { model, kind: "video", vendor, micros: seconds * secondMicros, canFind };
}

/** Vendors who answer when the picture is done: whoever called one is the only one who knows. */
function image(model: string, vendor: string, vendorModel: string): Offer {
  return { model, kind: "image", vendor, vendorModel, micros: imageMicros, canFind: false };
}

export const offers: readonly Offer[] = [
  video("videoE-v1", "kling", 5, true),
  video("videoC-2-0-260128", "ark", 5, true),
  video("videoB-2", "openai", 4),
  video("videoD-h3-768p", "minimax", 4),
  video("videoA_3_1", "google", 8),
  video("omni-fast", "gateway", 5, true),
  image("imageA-2", "openai", "gpt-image-2"),
  image("imageG-4-0-250828", "ark", "doubao-seedream-4-0-250828"),
  image("imageH-3.1-flash-lite-image", "google", "gemini-3.1-flash-lite-image"),
  { model: "imgF-imagine", kind: "img-f", vendor: "midjourney", micros: 2000, canFind: true },
];

const createPaths = {
  video: "/v1/videos",
  image: "/v1/images/generations/async",
  "img-f": "/imgF/submit/imagine",
} as const;

export function createOf({ model, kind, micros }: Offer, prompt: string): [string, JsonObject] {
  const named = kind === "img-f" ? { prompt } : { model, prompt };
  const length = kind === "video" ? { duration: micros / secondMicros } : {};
  return [createPaths[kind], { ...named, ...length }];
}

export function readPathOf({ kind }: Offer, id: string): string {
  return kind === "img-f" ? `/imgF/task/${id}/fetch` : `${createPaths[kind]}/${id}`;
}

const ends: Readonly<Record<string, string>> = { SUCCESS: "completed", FAILURE: "failed" };

/** The task in any of its shapes; without an id when it was refused. */
export function readTask(text: string): { id: string | null; status: string } {
  const body = JSON.parse(text) as Record<"id" | "result" | "status", string | undefined>;
  const { id, result, status = "" } = body;
  return { id: id ?? result ?? null, status: ends[status] ?? status };
}

/** Words of a prompt; those that stand here twice come twice as often. */
export const fates: readonly string[] = [
  "",
  "",
  "",
  "",
  // The job is there and its answer is not: the moment at which a death hurts most.
  "sandbox:delay=60ms",
  "sandbox:delay=60ms",
  "sandbox:delay=60ms",
  "sandbox:delay=250ms",
  "sandbox:fail",
  "sandbox:fail",
  "sandbox:filter",
  "sandbox:cut",
  "sandbox:garbage",
  "sandbox:status=504",
  "sandbox:status=400",
  "sandbox:status=503@sk-first",
];

/** Each vendor has two channels for each kind; the first one is refused by some of the fates. */
export function offersConfig(urls: { sandbox: string; painters: string }): string {
  const channels = offers.flatMap(({ kind, vendor, model, vendorModel = model }) =>
    ["first", "second"].map((place, at) => {
      const url = kind === "image" ? urls.painters : urls.sandbox;
      return `
  - { name: ${vendor}-${kind}-${place}, type: ${vendor}, base_url: "${url}/${vendor}",
      key: sk-${place}, priority: ${1 - at}, models: [${model}], allow_private: true,
      model_mapping: { ${model}: ${vendorModel} } }`;
    }),
  );
  return `
sandbox: "off"
log: { level: error }
tasks: { poll_first_ms: 100, poll_most_ms: 400, call_ms: 2000 }
images: { call_ms: 2000, runs_per_channel: 2 }
channels:${channels.join("")}
prices:${offers.map(toPrice).join("")}
`;
}

function toPrice({ model, kind, micros }: Offer): string {
  const names = { video: "second_micros", image: "image_micros", "img-f": "call_micros" } as const;
  const amount = kind === "video" ? secondMicros : micros;
  return `
  - { model: ${model}, ${names[kind]}: ${amount} }`;
}
