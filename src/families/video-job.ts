// The neutral shape of a video that is asked for. Families yield it, upstreams run it, and neither
// knows the other.
import type { JsonObject } from "../core/json.ts";

export interface VideoJob {
  /** The family's name of the model, as it was resolved. */
  model: string;
  /** The client's name for it; absent where that is the family's name. */
  asked?: string;
  prompt: string;
  negativePrompt: string | null;
  /** Length of the output; null leaves it to the vendor. */
  seconds: number | null;
  size: { width: number; height: number } | null;
  /** Such as "16:9", or "adaptive" for that of the given media. */
  ratio: string | null;
  /** In lower case, such as "720p", "768p", "2k". */
  resolution: string | null;
  tier: "normal" | "pro" | null;
  /** True asks for sound. */
  audio: boolean | null;
  watermark: boolean | null;
  seed: number | null;
  media: JobMedia[];
  /** The vendor's own parameters, as the client named them. */
  extras: JsonObject;
}

export interface JobMedia {
  kind: "image" | "video" | "audio";
  /** A source is what is edited or extended; a reference only lends its looks. */
  role: "first-frame" | "last-frame" | "reference" | "source";
  source: JobSource;
  /** The field the client put it in, such as `images.1`. */
  param: string;
}

export type JobSource =
  | { kind: "url"; url: string }
  /** `type` is the media type as the bytes have it. */
  | { kind: "bytes"; type: string; base64: string }
  /** A registered asset, by its bare id. */
  | { kind: "asset"; id: string };

/** Units that a video is charged by. */
export interface VideoUnits {
  seconds: number;
  resolution: string | null;
  /** Such as "1280x720". */
  size: string | null;
  tier: "normal" | "pro" | null;
}
