// Errors on Vertex: the platform's in Google's envelope, those of Claude and of open models in the
// words of the wires that they speak.
import { isObject, type Json } from "../../core/json.ts";
import { holderIn } from "../error-body.ts";
import { readGoogleFault } from "../kit/google/faults.ts";
import { readOpenaiFault } from "../openai-wire-faults.ts";
import type { Fault } from "../upstream.ts";

export function readVertexFault(
  status: number,
  headers: Headers,
  body: Json,
  baseUrl?: string,
): Fault {
  const error = holderIn(body)?.["error"];
  const isOfModel = isObject(error) && typeof error["type"] === "string";
  return isOfModel
    ? readOpenaiFault(status, headers, body, baseUrl)
    : readGoogleFault(status, headers, body);
}
