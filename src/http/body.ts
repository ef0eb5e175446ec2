// Reads a request body within its limit: refused by its declared length, counted when undeclared.
import { GatewayError } from "../core/errors.ts";
import { describeJsonFault } from "../core/json-fault.ts";
import { isObject, JsonError, parseJson, type JsonObject } from "../core/json.ts";

export interface JsonBody {
  value: JsonObject;
  bytes: number;
  /** The bytes as they came, where they were JSON. */
  raw?: Uint8Array;
}

/** Types under which JSON is taken. */
export type BodyTypes = "json" | "any";

/** The wait for a body. */
export interface BodyWait {
  /** `late` is called once where the body does not end in time. */
  begin(late: () => void): void;
  /** It has come, or never will. */
  end(): void;
}

export async function readJsonBody(
  request: Request,
  bytesMax: number,
  wait: BodyWait | null = null,
  types: BodyTypes = "json",
): Promise<JsonBody> {
  if (types === "json") checkType(request.headers);
  const bytes = await readBodyBytes(request, bytesMax, wait);
  try {
    const value = parseJson(bytes);
    if (isObject(value)) return { value, bytes: bytes.length, raw: bytes };
  } catch (error) {
    if (error instanceof JsonError) {
      const message = error.isSyntax ? describeJsonFault(bytes) : `The ${error.message}.`;
      throw new GatewayError("invalid_request", { message });
    }
    throw error;
  }
  const message = 'The body must be a JSON object, as in {"model": "..."}.';
  throw new GatewayError("invalid_request", { message });
}

function checkType(headers: Headers): void {
  const type = headers.get("content-type");
  if (type !== null && !isJsonType(type)) {
    throw new GatewayError("unsupported_media_type", {
      message: `The content type must be application/json, and ${shortened(type)} was sent.`,
    });
  }
}

const jsonType = /^application\/(?:[a-z.+-]+\+)?json\s*(?:;\s*charset="?utf-8"?\s*)?$/i;

export function isJsonType(type: string): boolean {
  return type === "application/json" || jsonType.test(type);
}

function shortened(header: string): string {
  return JSON.stringify(header.slice(0, headerCharactersMax));
}

const headerCharactersMax = 100;

/** Null for a body that is not packed. */
function readPacking(headers: Headers): "gzip" | "deflate" | null {
  const encoding = headers.get("content-encoding") ?? "identity";
  if (encoding === "identity") return null;
  if (encoding === "gzip" || encoding === "deflate") return encoding;
  throw new GatewayError("unsupported_media_type", {
    message: `The body may be packed as gzip or deflate, and ${shortened(encoding)} was sent.`,
  });
}

/** Throws at once where the headers tell that it is not to be read. */
export function readBodyBytes(
  request: Request,
  bytesMax: number,
  wait: BodyWait | null,
): Promise<Uint8Array> {
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > bytesMax) throw tooLarge(bytesMax);
  const packing = readPacking(request.headers);
  if (packing !== null) return inTime(readPacked(request.body, packing, bytesMax), wait);
  // Asking for the body makes a stream of it, which most requests need not pay for.
  const read = declared === null ? readCounted(request.body ?? [], bytesMax) : request.bytes();
  return inTime(read, wait);
}

/** A body that is read too late is thrown away: the refusal closes the connection. */
function inTime(read: Promise<Uint8Array>, wait: BodyWait | null): Promise<Uint8Array> {
  if (!wait) return read.catch((error: unknown) => Promise.reject(toRefusal(error)));
  return new Promise((resolve, reject) => {
    wait.begin(() => reject(new GatewayError("request_timeout")));
    read.then(
      (bytes) => {
        wait.end();
        resolve(bytes);
      },
      (error: unknown) => {
        wait.end();
        reject(toRefusal(error));
      },
    );
  });
}

/** A body that ends too early is the client's doing. */
function toRefusal(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  return new GatewayError("client_closed_request", { cause: error });
}

/** A few packed bytes may stand for all of the memory, so they are unpacked in small steps. */
async function readPacked(
  body: Request["body"],
  packing: "gzip" | "deflate",
  bytesMax: number,
): Promise<Uint8Array> {
  try {
    return await readCounted(body?.pipeThrough(new DecompressionStream(packing)) ?? [], bytesMax);
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    throw new GatewayError("invalid_request", { message: "The body could not be unpacked." });
  }
}

async function readCounted(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  bytesMax: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of body) {
    total += chunk.length;
    if (total > bytesMax) throw tooLarge(bytesMax);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, total);
}

/** The same within the same bounds, for who takes it piece by piece. */
export async function* readPieces(
  request: Request,
  bytesMax: number,
  wait: BodyWait,
): AsyncIterable<Uint8Array> {
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > bytesMax) throw tooLarge(bytesMax);
  if (readPacking(request.headers) !== null) throw new GatewayError("unsupported_media_type");
  const reader = request.body?.getReader();
  const late = Promise.withResolvers<never>();
  wait.begin(() => late.reject(new GatewayError("request_timeout")));
  try {
    for (let left = bytesMax; reader;) {
      const { done, value } = await Promise.race([reader.read(), late.promise]);
      if (done) return;
      left -= value.length;
      if (left < 0) throw tooLarge(bytesMax);
      yield value;
    }
  } catch (error) {
    throw toRefusal(error);
  } finally {
    wait.end();
    await reader?.cancel().catch(() => {});
  }
}

function tooLarge(bytesMax: number): GatewayError {
  return new GatewayError("request_body_too_large", {
    message: `The request body is larger than ${bytesMax} bytes.`,
  });
}
