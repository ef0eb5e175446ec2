// A vendor's protocol: where its requests go, how they are signed, how its errors read. It has no
// loop, no clock, no retry: the flow above owns those.
import type { Json, JsonObject } from "../core/json.ts";
import type { Dialect } from "../formats/exchange.ts";
import type { VideoJob } from "../families/video-job.ts";
import type { FormatName } from "../formats/format.ts";

/** One channel's address and one of its keys. */
export interface Target {
  baseUrl: string;
  key: string;
  headers: Readonly<Record<string, string>>;
}

export interface Address {
  url: string;
  headers: Record<string, string>;
}

/** What is wanted of a text upstream. */
export interface TextAsk {
  format: FormatName;
  /** Counting the tokens of a request and condensing one are not generating an answer. */
  action: "generate" | "count" | "compact";
  /** The upstream's name of the model. */
  model: string;
  stream: boolean;
  /** Headers of the client that belong to this format's wire; empty for a converted request. */
  wireHeaders: Readonly<Record<string, string>>;
}

/** Whose fault an error of the vendor is, judged by status and structured code, never by prose. */
export type Fault =
  /** The request itself: another channel would refuse it too. */
  | RequestFault
  /** The credential is refused: its siblings may still work. */
  | { blame: "key"; message: string }
  /** Too busy: come back later or go elsewhere. */
  | { blame: "load"; message: string; retryAfterSeconds: number | null }
  | { blame: "channel"; message: string };

export interface RequestFault {
  blame: "request";
  status: number;
  type: string;
  code: string | null;
  param: string | null;
  message: string;
}

export interface TextFacet {
  /**
   * What a channel set to this dialect (null: to none) takes as it is; the first of them is the
   * dialect that everything else is converted into.
   */
  formats(dialect: Dialect | null): readonly FormatName[];
  /** Null when the vendor cannot do it. */
  address(ask: TextAsk, target: Target): Address | null;
  /** The address of something the vendor keeps, such as a stored response. */
  stored?(path: string, target: Target): Address;
  /** The body as this vendor wants it, where that differs from the format's own rules. */
  adjust?(body: JsonObject, ask: TextAsk): JsonObject;
  /** A body to try once more with after this refusal, or null when there is nothing to mend. */
  mend?(body: JsonObject, fault: RequestFault): JsonObject | null;
}

/** A request to the vendor, sent by the flow above under its limits of time and size. */
export interface VendorRequest {
  method: "GET" | "POST" | "DELETE";
  address: Address;
  body?: JsonObject | FormData;
}

export interface VendorReply {
  status: number;
  headers: Headers;
  /** Null when it is not JSON. */
  json: Json;
}

/** What a media upstream works with: one channel's address and key, and a way to the vendor. */
export interface VendorCall {
  target: Target;
  nowSeconds: number;
  send(request: VendorRequest): Promise<VendorReply>;
}

export interface VideoCall extends VendorCall {
  /** Ours; it goes along wherever the vendor has a field for it. */
  taskId: string;
  /** The upstream's name of the model. */
  model: string;
}

/** Thrown when the vendor refuses: nothing was started. */
export class VendorRefusal extends Error {
  override readonly name = "VendorRefusal";
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault.message);
    this.fault = fault;
  }
}

export type VideoProgress =
  | { kind: "pending"; status: "queued" | "in_progress"; progress: number | null }
  | { kind: "completed"; result: VideoResult; seconds: number | null; tokens: number | null }
  /** `code` is the vendor's, or one of ours such as content_policy_violation. */
  | { kind: "failed"; code: string; message: string };

/** Where the finished video is. The headers are for the vendor alone. */
export type VideoResult =
  { kind: "url"; url: string; headers: Record<string, string> } | { kind: "bytes"; base64: string };

/** No loop, no sleep, no retry, no clock: the task engine owns those. */
export interface VideoFacet {
  /** The field that this vendor cannot express, or null when it can run the job. */
  lacks(job: VideoJob): string | null;
  /** Starts the job; the text that comes back is how this vendor finds it again. */
  start(job: VideoJob, original: JsonObject, call: VideoCall): Promise<string>;
  status(operation: string, call: VideoCall): Promise<VideoProgress>;
  /** Looks for a job whose start got no answer: its operation, or null when there is none. */
  find?(call: VideoCall): Promise<string | null>;
  /** True when the vendor stopped it and charges nothing. */
  cancel?(operation: string, call: VideoCall): Promise<boolean>;
}

/** A file that an account has registered with us. */
export interface AssetAsk {
  /** Ours; it goes along as the asset's name. */
  id: string;
  url: string;
  kind: "image" | "video" | "audio";
}

export type AssetProgress =
  | { kind: "processing" }
  | { kind: "active" }
  /** `code` is the vendor's. */
  | { kind: "failed"; code: string; message: string };

/** A vendor that keeps media, for videos of the same account to name. No loop, no clock either. */
export interface AssetFacet {
  /** Whether the key has what the vendor's registry asks for. */
  accepts(target: Target): boolean;
  /** The text that comes back is what a video names the asset by, once it is active. */
  register(asset: AssetAsk, call: VendorCall): Promise<string>;
  status(reference: string, call: VendorCall): Promise<AssetProgress>;
}

export interface Upstream {
  type: string;
  text?: TextFacet;
  video?: VideoFacet;
  assets?: AssetFacet;
  readFault(status: number, headers: Headers, body: Json): Fault;
}
