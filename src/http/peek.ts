// Looks into the body of a request that is refused before anyone has read it, where the body says
// in which envelope. Only a small one, and not for long: whoever sends it may be nobody we know.
import type { Deadlines } from "../core/deadline.ts";
import type { GatewayError } from "../core/errors.ts";
import type { JsonObject } from "../core/json.ts";
import { readJsonBody } from "./body.ts";
import type { EnvelopeName } from "./envelopes/index.ts";
import { isForm, readFormBody } from "./multipart.ts";

/** Null leaves it to the route. */
export type EnvelopeOf = (body: JsonObject, error: GatewayError) => EnvelopeName | null;

const peekBytesMax = 16 * 1024;
const peekMsMax = 250;

export async function peekEnvelope(
  request: Request,
  error: GatewayError,
  { envelopeOf, deadlines }: { envelopeOf: EnvelopeOf; deadlines: Deadlines },
): Promise<EnvelopeName | null> {
  const bytes = Number(request.headers.get("content-length") ?? 0);
  if (request.bodyUsed || !(bytes > 0 && bytes <= peekBytesMax)) return null;
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const watch = deadlines.watch(peekMsMax, () => resolve(null));
  try {
    const body = await Promise.race([readBody(request), late]);
    return body && envelopeOf(body, error);
  } finally {
    watch.end();
  }
}

async function readBody(request: Request): Promise<JsonObject | null> {
  const read = isForm(request.headers) ? readFormBody : readJsonBody;
  try {
    return (await read(request, peekBytesMax)).value;
  } catch {
    // It is refused anyway, for the reason that came first.
    return null;
  }
}
