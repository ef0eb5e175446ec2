// Reads a request body within its limit: refused by its declared length, counted when undeclared.
import { GatewayError } from "../core/errors.ts";
import { isObject, JsonError, parseJson } from "../core/json.ts";
import type { JsonBody } from "./route.ts";

export async function readJsonBody(request: Request, bytesMax: number): Promise<JsonBody> {
  checkType(request.headers);
  const bytes = await readBytes(request, bytesMax);
  try {
    const value = parseJson(bytes);
    if (isObject(value)) return { value, bytes: bytes.length };
  } catch (error) {
    if (error instanceof JsonError) {
      throw new GatewayError("invalid_request", { message: `The ${error.message}.` });
    }
    throw error;
  }
  throw new GatewayError("invalid_request", { message: "The body must be a JSON object." });
}

function checkType(headers: Headers): void {
  const type = headers.get("content-type");
  if (
    type !== null &&
    !/^application\/(?:[a-z.+-]+\+)?json\s*(?:;\s*charset="?utf-8"?\s*)?$/i.test(type)
  ) {
    throw new GatewayError("unsupported_media_type", {
      message: "The content type must be application/json.",
    });
  }
  if ((headers.get("content-encoding") ?? "identity") !== "identity") {
    throw new GatewayError("unsupported_media_type", {
      message: "The body must not be compressed.",
    });
  }
}

async function readBytes(request: Request, bytesMax: number): Promise<Uint8Array> {
  const declared = request.headers.get("content-length");
  if (declared !== null) {
    if (Number(declared) > bytesMax) throw tooLarge(bytesMax);
    return await readOrRefuse(() => request.bytes());
  }
  return await readOrRefuse(() => readCounted(request, bytesMax));
}

async function readCounted(request: Request, bytesMax: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of request.body ?? []) {
    total += chunk.length;
    if (total > bytesMax) throw tooLarge(bytesMax);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, total);
}

/** A body that ends too early is the client's doing. */
async function readOrRefuse(read: () => Promise<Uint8Array>): Promise<Uint8Array> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    throw new GatewayError("client_closed_request", { cause: error });
  }
}

function tooLarge(bytesMax: number): GatewayError {
  return new GatewayError("request_body_too_large", {
    message: `The request body is larger than ${bytesMax} bytes.`,
  });
}
