// A text wire format: what clients send and read, and what upstreams of the format take and send.
import type { GatewayError } from "../core/errors.ts";
import type { JsonObject } from "../core/json.ts";
import type { SseEvent } from "../core/sse.ts";
import type { ConversationSide } from "./conversation.ts";
import type { EmbeddingSide } from "./embedding.ts";
import type { Dialect, Exchange, FieldNames, Reply } from "./exchange.ts";
import type { Earlier, KeptNames, KeptReply, Recalled, Recollection } from "./recollection.ts";
import type { FieldPath, Surcharge, SurchargeSide, SurchargeUse } from "./surcharge.ts";
import type { StreamDecoder, StreamEncoder } from "./stream-part.ts";
import type { Usage } from "./usage.ts";

export type FormatName =
  | "chat"
  | "completions"
  | "responses"
  | "messages"
  | "content"
  | "converse"
  | "embeddings"
  | "embedContent"
  | "batchEmbedContents"
  | "predict"
  | "invokeEmbed";

/** Facts in the address of a request that its body lacks. */
export interface AddressFacts {
  model: string;
  stream: boolean;
  framing: Framing;
}

/** Ways to set the pieces of a stream apart. */
export type Framing = "events" | "array" | "frames";

/** Facts of a request that the gateway must know, whatever its format. */
export interface TextRequest {
  model: string;
  stream: boolean;
  framing: Framing;
  /** The count of answers asked for. */
  choices: number;
  /** The client's own bound on the output of one answer. */
  outputTokensMax: number | null;
  /** That bound is the wire's default, which the client left unsaid. */
  isDefaultBound?: true;
  /** Media, and how many bytes of the body are data that is paid for by the part. */
  mediaParts: number;
  mediaBytes: number;
  /** The vendor reads what is nowhere in the body: a file by its id or address, a kept prompt. */
  readsMore?: boolean;
  /** Thoughts that the vendor keeps and reads again, named by their id alone. */
  keptThoughts?: number;
  /** A picture's address whose name does not say so: a wire that takes any file may bring more. */
  hasOpenAddress?: true;
  /** Times it is read anew, because the vendor goes on by itself after a call of its tools. */
  readings?: number;
  /** Things it asks for that cost more than its tokens; absent where there are none. */
  surcharges?: readonly Surcharge[];
  /** Places of marks by which a vendor keeps what stands before them for an hour. */
  hourMarks?: readonly FieldPath[];
  /** Its model draws, so pictures of the answer are counted. */
  draws?: true;
  /** The client asked to see the usage of a stream. */
  wantsUsage: boolean;
  /** It asks for the cost inside the usage, as clients of OpenRouter do. */
  wantsCost?: true;
  origins: NeededOrigins;
  /** Items put before the input because the client named them. */
  earlier?: Earlier;
  /**
   * It names sequences to stop at, with which an answer may begin, or asks for no output, or leaves
   * the model nothing to say: it ends in results of tools, or in a turn of the assistant.
   */
  mayBeEmpty?: true;
  /** Its account had so many answers for nothing that the next one is passed on as it is. */
  takesAny?: true;
}

/** An id without which the request means nothing, and the field it stands in. */
export interface RequiredOrigin {
  id: string;
  param: string;
  /** The words for a reply that is not known; by default that there is no such reply. */
  unknown?: string;
}

/** Things a request builds on that only the channel and key that made them understand. */
export interface NeededOrigins {
  required: RequiredOrigin | null;
  /** Further ones; the account must have got each of them. */
  alsoRequired?: readonly RequiredOrigin[];
  /**
   * Objects the vendor keeps under ids: they need their origin, unless a channel is open to any.
   */
  objects?: readonly RequiredOrigin[];
  /** A signature or encrypted reasoning: better sent back to its maker. */
  preferred: string | null;
}

export const noOrigins: NeededOrigins = { required: null, preferred: null };

/** Facts of a drawing, named as in price rules. */
export interface DrawingFacts {
  /** Such as "4K". */
  size: string | null;
  /** In lower case. */
  resolution: string | null;
  quality: null;
  tier: null;
}

/** Facts learned of a reply that passed through. */
export interface Observed {
  /** Null when the vendor did not say. */
  usage: Usage | null;
  /** Only the input of it was told: the stream was cut before its output was. */
  isOutputUntold?: true;
  /** Roughly what was generated, for where the vendor counts nothing. */
  outputTokensEstimate: number;
  /** Pictures in it, where the format tells; thoughts do not count. */
  images?: number;
  /** Ids and signatures in it that must come back to the channel that made them. */
  origins: readonly string[];
  /** Thoughts were seen in it. */
  hasThought?: true;
  /** Use it tells of the surcharges that were asked for. */
  use?: SurchargeUse;
  /** It came to its end, brought nothing, and does not say why. */
  isEmpty?: true;
  /** It is empty because its vendor could not read the model's call. */
  isUnreadable?: true;
}

export type Sighting =
  | { kind: "pass" }
  | { kind: "hide" }
  /** Nothing of the answer yet: it is shown together with what follows. */
  | { kind: "wait" }
  | { kind: "replace"; data: string }
  /** The protocol's end marker, maybe with other data in its place. */
  | { kind: "end"; data?: string }
  /** The vendor reported an error inside the stream. */
  | { kind: "fault"; message: string };

/** Watches a stream that is passed through. */
export interface StreamObserver {
  /**
   * True when the bytes are whole events of plain content that may pass unread: the cheap look that
   * most of a stream gets. Otherwise each event is to be shown to `see`.
   */
  skim(bytes: Uint8Array): boolean;
  see(event: SseEvent): Sighting;
  /** Whether the connection may be closed here: that is the end, or the end marker is left out. */
  isWhole(): boolean;
  /** The end marker, for clients of a vendor that left it out. */
  readonly ending?: Uint8Array | undefined;
  /** Nothing of an answer has come, nor an end that says why. */
  isEmpty(): boolean;
  /** The reply where its vendor does not keep it and clients may refer to it. */
  unstored?(): JsonObject | null;
  /** The vendor has told no usage of what was generated, and the client is to read one. */
  lacksUsage?(): boolean;
  /** Events that end a stream which lacks its usage, with the usage that is charged. */
  endWithUsage?(endEvents: readonly SseEvent[], usage: Usage): SseEvent[];
  observed(): Observed;
}

/** Facts of a request's destination that an encoder must know. */
export interface RequestTarget {
  /** The upstream's name of the model. */
  model: string;
  stream: boolean;
  /** The output that was paid for in advance; never more than this may be asked for. */
  outputTokensMax: number;
}

/** A field that was left out of a body because its model does not take it. */
export interface LeftOut {
  /** Null where no other wire has the like. */
  field: keyof FieldNames | null;
  /** This wire's name for it. */
  name: string;
}

export interface EncodedRequest {
  body: JsonObject;
  /** Client fields that this dialect cannot express and that were left out by a documented rule. */
  ignored: string[];
}

/** Facts besides the reply that an encoder needs to write it for a client. */
export interface ReplyFrame {
  /** Unique; ids of replies and of their pieces are derived from it. */
  requestId: string;
  createdAtSeconds: number;
  exchange: Exchange;
  request: TextRequest;
  /** The client's own body, for formats that echo it. */
  body: JsonObject;
}

/** The side of a format that clients speak. */
export interface ClientSide {
  /** Throws the 400 that names a field which no other dialect can carry. */
  decodeRequest(body: JsonObject, request: TextRequest): Exchange;
  encodeReply(reply: Reply, frame: ReplyFrame): JsonObject;
  encodeStream(frame: ReplyFrame): StreamEncoder;
  /** For formats whose clients refer to earlier replies; null when nothing known is referred to. */
  recall?(body: JsonObject, recollection: Recollection): Recalled | null;
  /**
   * Names by which later requests may refer to the reply; null when the client wants nothing kept.
   */
  keep?(body: JsonObject, reply: JsonObject): KeptNames | null;
  /** A reply that was kept; the body it answers is null when that was too much to keep. */
  reopen?(body: JsonObject | null, reply: JsonObject): KeptReply;
}

/** The side of a format that upstreams speak. */
export interface UpstreamSide {
  /** The longest tool name it takes, and its characters. */
  nameCharactersMax: number;
  nameCharacters: RegExp;
  /** The characters of a call's id; absent where any will do. */
  idCharacters?: RegExp;
  /** Throws the 400 that names what it cannot express. */
  encodeRequest(exchange: Exchange, target: RequestTarget): EncodedRequest;
  /** Null when the body is not a reply of this format. */
  decodeReply(body: unknown): Reply | null;
  decodeStream(): StreamDecoder;
  /** Absent where vendors of this wire do not count the tokens of a request. */
  counting?: Counting;
}

/** The way to ask a vendor for the length of a request. */
interface Counting {
  /** The fields of a request that may stand in what is counted; null where all may. */
  fields: readonly string[] | null;
  /** Null when it is no count. */
  read(reply: JsonObject): number | null;
}

export interface Format {
  name: FormatName;
  /** Headers of the client that belong to the wire and go on to an upstream of the same format. */
  headers: readonly string[];
  /** Headers by which clients tell vendors of this wire that requests belong together. */
  sessionHeaders?: readonly string[];
  /** Its bodies have `metadata` that is the client's own, in which a label may stand. */
  hasMetadata?: true;
  /** The client's field by which it can ask for less. */
  boundField: string;
  /**
   * Checks a body and reads what is needed of it; throws the 400 that names the field. `earlier` is
   * what was put before the client's own input.
   */
  read(body: JsonObject, address: AddressFacts | null, earlier?: Earlier | null): TextRequest;
  /** A body of its own for an upstream of the same format: everything kept, model and usage set. */
  forward(body: JsonObject, target: RequestTarget): JsonObject;
  /**
   * Bounds the output that an upstream's own copy of a body asks for by what was paid for in
   * advance: also where the client named no bound, or a larger one. Absent where the wire has no
   * field for it, or demands one that is set already.
   */
  bound?(body: JsonObject, outputTokensMax: number): void;
  /**
   * Takes what the model is known to refuse out of an upstream's own copy of a body, be it the
   * client's or a converted one. Absent where no model refuses anything.
   */
  fit?(body: JsonObject, model: string): readonly LeftOut[];
  /** The dialect in which the model takes what it refuses in this one; null where there is none. */
  betterDialect?(body: JsonObject, model: string): Dialect | null;
  /** An upstream of the wire fetches what stands at an address, whatever it is. */
  fetchesAnything?: true;
  /**
   * The field of the bound, and the least that may stand there, where the wire refuses a small one.
   */
  outputBound?: { field: string; tokensMin: number };
  /** Null when the body is not a reply of this format. */
  readReply(body: unknown): Observed | null;
  /** A reply as our clients must see it, where that is more than the vendor sends. */
  complete?(body: JsonObject): JsonObject;
  /** A reply that tells this usage; absent where the wire has none. */
  writeUsage?(body: JsonObject, usage: Usage): JsonObject;
  observe(request: TextRequest): StreamObserver;
  /** An error as the client reads it once the stream has begun. */
  encodeError(error: GatewayError, requestId: string): Uint8Array;
  /** Texts a model reads of a request, for where its tokens must be counted here. */
  requestTexts(body: JsonObject): string[];
  /** Absent where nothing of the wire is a conversation. */
  conversation?: ConversationSide;
  /** Generated texts, of a whole reply or of one event's data. */
  replyTexts(body: JsonObject): string[];
  /** Facts that decide the price of pictures a body asks for; absent where no model draws. */
  drawingFacts?(body: JsonObject): DrawingFacts;
  /** Absent where nothing of the wire costs more than its tokens. */
  surcharges?: SurchargeSide;
  client: ClientSide | null;
  upstream: UpstreamSide | null;
  /** The side of formats that carry embeddings and nothing else. */
  embedding?: EmbeddingSide;
}
