// A vendor's protocol: where its requests go, how they are signed, how its errors read. It has no
// loop, no clock, no retry: the flow above owns those.
import type { EventFrame } from "../core/frames/event-stream.ts";
import type { Json, JsonObject } from "../core/json.ts";
import type { SseEvent } from "../core/sse.ts";
import type { ChannelAuthor } from "../core/pass/credential-rules.ts";
import type { VendorFields } from "../core/pass/vendor-fields.ts";
import type { Pass } from "../core/pass/pass.ts";
import type { UpstreamDialect } from "../formats/exchange.ts";
import type { ImageJob } from "../families/image-job.ts";
import type { ImgFJob } from "../families/img-f-job.ts";
import type { VideoJob } from "../families/video-job.ts";
import type { FormatName, LeftOut } from "../formats/format.ts";

/** One channel's address and one of its keys. */
export interface Target {
  baseUrl: string;
  key: string;
  headers: Readonly<Record<string, string>>;
  /** Fields of a cloud, as its channel has them. */
  vendor?: VendorFields | undefined;
  /** The channel may reach private addresses. */
  allowPrivate?: boolean | undefined;
  /** Absent for an operator who may only do what a role permits. */
  author?: ChannelAuthor | undefined;
}

export interface Address {
  url: string;
  headers: Record<string, string>;
  /** The proof of a key that is exchanged or signs: the headers have nothing of it then. */
  pass?: Pass | undefined;
}

/** A request to a text upstream. */
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

export interface BoundThoughts {
  body: JsonObject;
  /** Parameters added beside the bound that was there, with their values. */
  added: readonly string[];
}

interface ThoughtAsk {
  baseUrl: string;
  /** The upstream's name of the model. */
  model: string;
  answerTokensMax: number;
}

/** Blame for an error of the vendor, judged by status and structured code, never by prose. */
export type Fault = BlamedFault & {
  /** Status of the answer that it was read from, as the flow that got it knows. */
  httpStatus?: number;
  /** The id by which the vendor knows the request. */
  vendorRequestId?: string;
};

type BlamedFault =
  /** The request itself: another channel would refuse it too. */
  | RequestFault
  /** The credential is refused, by a code of its own or by 401: its siblings may still work. */
  | { blame: "key"; message: string }
  /** It may be the credential, its credit, or only what this request names or asks for. */
  | { blame: "suspect"; isOfCredit: boolean; message: string }
  /** The request is larger than the vendor's limit itself; another vendor's may be higher. */
  | { blame: "size"; status: number; message: string; retryAfterSeconds: number | null }
  /** Too busy: come back later or go elsewhere. */
  | LoadFault
  | { blame: "channel"; message: string };

export interface LoadFault {
  blame: "load";
  message: string;
  retryAfterSeconds: number | null;
  /** True where it holds for all models of the key. */
  isOfAccount?: true;
  /** The vendor's limits, in its own figures: a request for more than these met no load. */
  limits?: TokenLimits;
}

/** The most tokens that a vendor takes in its time, whoever asks. */
export interface TokenLimits {
  input: number | null;
  output: number | null;
  total: number | null;
}

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
   * Formats that a channel set to this dialect (null: to none) takes as they are; the first of them
   * is the dialect that everything else is converted into.
   */
  formats(dialect: UpstreamDialect | null): readonly FormatName[];
  /** Null when the vendor cannot do it. */
  address(ask: TextAsk, target: Target): Address | null;
  /** Whether this model is asked, and answers, in another shape than the format's own. */
  isRephrased?(format: FormatName, model: string): boolean;
  /** The address of something the vendor keeps, such as a stored response. */
  stored?(path: string, target: Target): Address;
  /**
   * Takes what this vendor refuses, though others of the wire take it, out of an upstream's own
   * copy of a body. Throws the 400 that names what cannot be left out.
   */
  fit?(body: JsonObject, ask: TextAsk, baseUrl: string): readonly LeftOut[];
  /** The body as this vendor wants it, where that differs from the format's own rules. */
  adjust?(body: JsonObject, ask: TextAsk, baseUrl: string): JsonObject;
  /** With a bound on what is thought, where the vendor's bound on the answer leaves that out. */
  boundThoughts?(body: JsonObject, ask: TextAsk, baseUrl: string): BoundThoughts;
  /**
   * The most that a model thinks beside an answer with this bound, where its vendor bounds thoughts
   * apart; it is held for. The body is the client's own.
   */
  thoughtTokensMax?(body: JsonObject, ask: ThoughtAsk): number;
  /** Headers that ask this vendor for what costs more, where the wire has a field for it. */
  surchargeHeaders?(body: JsonObject, format: FormatName): Readonly<Record<string, string>>;
  /** A body to try once more with after this refusal, or null when there is nothing to mend. */
  mend?(body: JsonObject, fault: RequestFault, format: FormatName): JsonObject | null;
  /** The answer about a length in the words of the format, where the vendor has its own. */
  readCount?(reply: JsonObject): JsonObject;
  /** The event in a frame, where the vendor streams Amazon's frames and not events. */
  readFrame?(frame: EventFrame): SseEvent;
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

/** Means of a media upstream: one channel's address and key, and a way to the vendor. */
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

/** An answer of success that cannot be read: no JSON, or without what every such answer has. */
export class UnreadableReply extends Error {}

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

/** The place of the finished video. Its headers and its pass are for the vendor alone. */
export type VideoResult = ({ kind: "url" } & Address) | { kind: "bytes"; base64: string };

/** Things a vendor may have of a video besides the video. */
export type VideoVariant = "thumbnail" | "spritesheet";

/** No loop, no sleep, no retry, no clock: the task engine owns those. */
export interface VideoFacet {
  /** The field that this vendor cannot express, or null when it can run the job. */
  lacks(job: VideoJob): string | null;
  /** Starts the job; the text that comes back is how this vendor finds it again. */
  start(job: VideoJob, original: JsonObject, call: VideoCall): Promise<string>;
  status(operation: string, call: VideoCall): Promise<VideoProgress>;
  /**
   * Looks for a job whose start got no answer: its operation, null when there is none, undefined
   * when this vendor cannot tell.
   */
  find?(call: VideoCall): Promise<string | null | undefined>;
  /** True when the vendor stopped it and charges nothing. */
  cancel?(operation: string, call: VideoCall): Promise<boolean>;
  /** The address of a finished video's variant; the vendor may not have it all the same. */
  variant?(operation: string, variant: VideoVariant, call: VideoCall): Address;
}

/**
 * Long texts of a reply to this call may stand as short tokens, since pictures are large: what is
 * base64 is handed on as it is found, and neither measured nor decoded.
 */
export interface ImageCall extends VendorCall {
  /** Ours; it goes along wherever the vendor has a field for it. */
  reference: string;
  /** The upstream's name of the model. */
  model: string;
}

export interface MadeImage {
  source: VideoResult;
  revisedPrompt: string | null;
  /** The size the vendor names, such as "1024x1024". */
  size: string | null;
}

/** The vendor's own count; null where it says nothing. */
export interface ImageUsage {
  inputTokens: number;
  outputTokens: number;
  totalTokens: number;
  inputTextTokens: number | null;
  inputImageTokens: number | null;
  outputImageTokens: number | null;
  outputTextTokens: number | null;
}

export interface ImageReply {
  images: MadeImage[];
  /** Failures among those that were asked for. */
  failures: { code: string; message: string }[];
  quality: string | null;
  background: string | null;
  outputFormat: string | null;
  usage: ImageUsage | null;
}

/** Vendors that answer when the images are done. No loop in time, no retry, no clock. */
export interface ImageFacet {
  /** The field that this vendor's model, which the job names, cannot express; null for none. */
  lacks(job: ImageJob): string | null;
  /** Makes all of the job's images, by as many calls as it takes; throws when there is none. */
  run(job: ImageJob, original: JsonObject, call: ImageCall): Promise<ImageReply>;
  /** The request that is answered by a stream of OpenAI's image events. */
  stream?(job: ImageJob, original: JsonObject, call: ImageCall): VendorRequest;
}

export interface ImgFCall extends VendorCall {
  /** Ours; it goes along as the note that the vendor keeps. */
  taskId: string;
  /** This vendor's name for the task that this one goes on from. */
  parent: string | null;
}

/** State of the vendor's task, in its own words; the picture is where `imageUrl` says. */
export interface ImgFProgress {
  kind: "pending" | "modal" | "completed" | "failed";
  /** Percent. */
  progress: number | null;
  result: VideoResult | null;
  failReason: string | null;
  promptEn: string | null;
  description: string | null;
  buttons: Json[];
  properties: JsonObject;
}

export interface ImgFFacet {
  /** `code` is the vendor's: 1 begun, 21 waits for a modal, 22 queued. */
  start(job: ImgFJob, call: ImgFCall): Promise<{ operation: string; code: 1 | 21 | 22 }>;
  status(operation: string, call: ImgFCall): Promise<ImgFProgress>;
  /** Looks for a job whose start got no answer, as videos do. */
  find?(call: ImgFCall): Promise<string | null>;
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

/** The facets that make pictures and films, by their names. */
export type MakingFacet = "image" | "imgF" | "video";

export interface Upstream {
  type: string;
  text?: TextFacet;
  video?: VideoFacet;
  image?: ImageFacet;
  imgF?: ImgFFacet;
  assets?: AssetFacet;
  /** A call that costs nothing and that only a good key is answered; throws what is wrong. */
  check?(call: VendorCall): Promise<void>;
  /** The names of its models, where the vendor has a list of them. */
  models?(call: VendorCall): Promise<string[]>;
  /** `baseUrl` is the channel's, where vendors of one wire have words of their own. */
  readFault(status: number, headers: Headers, body: Json, baseUrl?: string): Fault;
}
