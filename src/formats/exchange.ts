// The neutral shape of a text request and its reply. Client formats decode into it and encode out
// of it; no format knows another. What stands here is what can be carried between vendors.
import type { JsonObject } from "../core/json.ts";
import type { Usage } from "./usage.ts";

/** The wires that clients and upstreams speak alike. */
export type Dialect = "chat" | "responses" | "messages" | "content";

/** The wires that upstreams speak. */
export type UpstreamDialect = Dialect | "converse";

export interface Exchange {
  /** The public name that the client asked for. */
  model: string;
  /** Instructions that stand before the conversation. */
  system: TextPart[];
  turns: Turn[];
  tools: Tool[];
  toolChoice: ToolChoice | null;
  /** The vendor may search the web for the answer. */
  search?: WebSearch | null;
  /** False when the model may make one call at a time only; null when the client did not say. */
  parallelCalls: boolean | null;
  shape: OutputShape | null;
  reasoning: Reasoning | null;
  outputTokensMax: number | null;
  /** The count of answers asked for. */
  choices: number;
  stop: string[];
  sampling: Sampling;
  hints: Hints;
  /** The client's own names of fields, for messages about them. */
  names: FieldNames;
  /** Client fields that decoding left out by a documented rule; they are told to the client. */
  ignored: string[];
}

export interface Sampling {
  temperature: number | null;
  topP: number | null;
  topK: number | null;
  seed: number | null;
  presencePenalty: number | null;
  frequencyPenalty: number | null;
}

/** Fields that do not change what is asked for: one that a dialect lacks is left out and told. */
export interface Hints {
  /** The end user, for the vendor's abuse watch. */
  userId: string | null;
  metadata: Record<string, string> | null;
  verbosity: string | null;
  serviceTier: string | null;
  cacheKey: string | null;
  store: boolean | null;
  /** Google's safety settings. */
  safety: JsonObject[] | null;
}

/** A field of the exchange that a dialect may lack, by the name the client's format gives it. */
export type FieldNames = Readonly<Record<keyof Sampling | keyof Hints | NamedField, string>>;
type NamedField =
  | "choices"
  | "stop"
  | "tools"
  | "toolChoice"
  | "parallelCalls"
  | "shape"
  | "reasoning"
  | "outputTokensMax"
  | "cache";

export interface Turn {
  /** A system turn is an instruction in the middle of the conversation. */
  role: "system" | "user" | "assistant";
  /** Results of tools stand in user turns, calls and reasoning in assistant turns. */
  parts: Part[];
}

export type Part = TextPart | MediaPart | ReasoningPart | CallPart | ResultPart | RefusalPart;

/** The vendor is asked to keep the prompt up to here in its cache. */
export interface CacheMark {
  ttl: "5m" | "1h" | null;
}

export interface TextPart {
  kind: "text";
  text: string;
  cache?: CacheMark;
  citations?: Citation[];
  /** A signature that the vendor put on this text and wants back with it. */
  proof?: Proof;
}

export interface MediaPart {
  kind: "media";
  media: "image" | "audio" | "video" | "document";
  source: MediaSource;
  /** A file's name or a document's title. */
  name?: string;
  /** Detail in which an image is to be looked at: auto, low, high. */
  detail?: string;
  cache?: CacheMark;
  /** The client's place of it, such as `messages.0.content.1`. */
  at: string;
}

export type MediaSource =
  /** `type` is the media type as the bytes have it. */
  | { kind: "bytes"; type: string; base64: string }
  | { kind: "url"; url: string; type: string | null }
  /** A document that is plain text. */
  | { kind: "text"; text: string }
  /** A file that the vendor of this dialect keeps. */
  | { kind: "file"; id: string; dialect: Dialect };

export interface ReasoningPart {
  kind: "reasoning";
  /** Empty where the vendor shows nothing of it. */
  text: string;
  /** The proof the vendor wants back to believe it; null when it gave nothing. */
  proof: Proof | null;
  /** The whole of it is hidden in the proof (messages: `redacted_thinking`). */
  isRedacted: boolean;
}

/** Something opaque that only vendors of its dialect understand; it is never sent to another. */
export interface Proof {
  dialect: UpstreamDialect;
  data: string;
  /** The kind of part it belongs to; reasoning unless said. */
  on?: "call" | "text";
  /** The vendor's own id of the reasoning (responses: `rs_...`). */
  id?: string;
}

export interface CallPart {
  kind: "call";
  id: string;
  name: string;
  /** JSON text for a function, free text for a custom tool. */
  input: string;
  isCustom: boolean;
  cache?: CacheMark;
  proof?: Proof;
}

export interface ResultPart {
  kind: "result";
  callId: string;
  /** The tool's name as the call gave it; null when no call has this id. */
  name: string | null;
  content: (TextPart | MediaPart)[];
  isError: boolean;
  isCustom: boolean;
  cache?: CacheMark;
}

export interface RefusalPart {
  kind: "refusal";
  text: string;
}

/** Null is what the vendor did not say. Positions count characters of the text that cites. */
export interface Citation {
  url: string | null;
  title: string | null;
  quote: string | null;
  start: number | null;
  end: number | null;
  /** Index of the document it is of, among those given. */
  document: number | null;
}

export interface Tool {
  name: string;
  /** Beginning of the name that the client wrote once for several tools. */
  group?: string;
  description: string | null;
  /** JSON Schema of the input; null when none was given, and for custom tools. */
  schema: JsonObject | null;
  isStrict: boolean | null;
  /** A custom tool takes free text, maybe bound by a grammar. */
  custom: { format: JsonObject | null } | null;
  cache?: CacheMark;
}

/** A search of the web that the vendor runs itself while it answers. */
export interface WebSearch extends SearchWishes {
  /** The client's place of it, and its names for the wishes that go with it. */
  at: string;
  names: Readonly<Record<keyof SearchWishes, string>>;
}

/** Empty and null where the client did not say. */
export interface SearchWishes {
  allowedDomains: string[];
  blockedDomains: string[];
  location: SearchLocation | null;
  /** Share of the findings that may be read: low, medium, high. */
  contextSize: string | null;
  usesMax: number | null;
}

/** City, region, country and timezone, as far as they are known. */
export type SearchLocation = Readonly<Record<string, string>>;

export type ToolChoice =
  | { kind: "none" }
  | { kind: "auto" }
  | { kind: "required" }
  | { kind: "tool"; name: string; isCustom: boolean }
  /** Some of the tools: one of them must be called, or may be. */
  | { kind: "some"; names: string[]; isRequired: boolean };

export type OutputShape =
  | { kind: "text" }
  | { kind: "json" }
  | {
      kind: "schema";
      name: string;
      description: string | null;
      schema: JsonObject;
      isStrict: boolean | null;
    };

export type Effort = "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";

export interface Reasoning {
  effort: Effort | null;
  /** Tokens that may be spent on it, where the client said it in tokens. */
  budgetTokens: number | null;
  /** Whether the client wants to read it; null when it did not say. */
  isShown: boolean | null;
  /** It is to reason, and how much is left to the model. */
  isAdaptive?: true;
}

/** Reasons for an answer's end. */
export type StopReason =
  | "stop"
  | "stop-sequence"
  | "length"
  /** The conversation fills the model's window. */
  | "context"
  | "calls"
  | "filter"
  /** The vendor wants to be called again to go on. */
  | "pause"
  /** The model produced something that the vendor could not read. */
  | "malformed"
  /** The vendor says why in a word that other wires have none for: it was no success. */
  | "other";

export interface Reply {
  /** The vendor's own id of it. */
  id: string | null;
  choices: ReplyChoice[];
  usage: Usage | null;
}

export interface ReplyChoice {
  parts: ReplyPart[];
  stop: StopReason;
  /** The sequence that ended it. */
  stopSequence: string | null;
}

export type ReplyPart = Exclude<Part, ResultPart> | SearchPart;

/** One search of the web that the vendor made, and what it found. */
export interface SearchPart {
  kind: "search";
  queries: string[];
  found: FoundPage[];
  /** The vendor's word for why it brought nothing. */
  fault: string | null;
}

export interface FoundPage {
  url: string;
  title: string | null;
  age: string | null;
}

export const noSampling: Sampling = {
  temperature: null,
  topP: null,
  topK: null,
  seed: null,
  presencePenalty: null,
  frequencyPenalty: null,
};

export const noHints: Hints = {
  userId: null,
  metadata: null,
  verbosity: null,
  serviceTier: null,
  cacheKey: null,
  store: null,
  safety: null,
};
