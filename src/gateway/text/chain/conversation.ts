// The conversation that a request is part of, so that a weighted set of models is drawn once for
// all of it: a model that changed at every turn would meet no cache, and would be compared by
// nothing.
import { digestOf } from "../../../core/digest.ts";
import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import type { Random } from "../../../core/random.ts";
import type { Draw } from "../../../distribution/virtual-models.ts";

interface Drawn {
  accountId: string;
  /** The client's own name for the conversation, where it has one. */
  id: string | null;
  body: JsonObject;
}

/** The same numbers for the same conversation; others for each request that is part of none. */
export function drawOf(random: Random, { accountId, id, body }: Drawn): Draw {
  let conversation: string | null | undefined = id ?? undefined;
  return (text) => {
    conversation ??= openingOf(body);
    return conversation === null ? random.unit() : unitOf(`${accountId} ${conversation} ${text}`);
  };
}

/** The beginning of a conversation, which all its turns share; null where there are no turns. */
function openingOf(body: JsonObject): string | null {
  const turns = body["messages"] ?? body["contents"] ?? body["input"];
  const system = body["system"] ?? body["instructions"] ?? body["systemInstruction"];
  if (!Array.isArray(turns)) return null;
  const opening = turns.slice(0, firstOfUser(turns) + 1);
  return JSON.stringify([clipped(system), clipped(opening)]);
}

const openingCharactersMax = 4096;

function clipped(value: Json | undefined): string {
  return (JSON.stringify(value) ?? "").slice(0, openingCharactersMax);
}

function firstOfUser(turns: readonly Json[]): number {
  const at = turns.findIndex((turn) => isObject(turn) && (turn["role"] ?? "user") === "user");
  return Math.max(at, 0);
}

const digestBytes = 6;

function unitOf(text: string): number {
  const bytes = Buffer.from(digestOf(text), "base64url");
  return bytes.readUIntBE(0, digestBytes) / 2 ** (8 * digestBytes);
}
