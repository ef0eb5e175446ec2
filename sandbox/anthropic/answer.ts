// One request on Anthropic's wire: finds the endpoint, checks the key and the version, and answers
// or refuses.
import { JsonError, parseJson } from "../../src/core/json.ts";
import { noFaults } from "../directives.ts";
import type { Answer, VendorRequest } from "../vendor.ts";
import { invalid, Refusal, refusalAnswer } from "./errors.ts";
import { prepareCount, prepareMessages } from "./messages.ts";
import { getModel, listModels } from "./models.ts";
import type { Wire } from "./request/schema.ts";
import type { Work, WorkContext } from "./work.ts";

const revokedKey = "sk-sandbox-revoked";
const modelPath = "/v1/models/";
const newestVersion = "2026-10-21";
const systemTurnsBeta = "mid-conversation";
const versions = new Set(["2023-01-01", "2023-06-01", newestVersion]);
const textPaths: Readonly<Record<string, (json: unknown, context: WorkContext) => Work>> = {
  "/v1/messages": prepareMessages,
  "/v1/messages/count_tokens": prepareCount,
};

interface Origin {
  serial: string;
  requestId: string;
  words: number;
}

export function answerOrRefuse(request: VendorRequest, origin: Origin): Answer {
  try {
    return answerAt(request, origin);
  } catch (error) {
    if (error instanceof Refusal) return refusalAnswer(error, origin.requestId);
    throw error;
  }
}

function answerAt(request: VendorRequest, origin: Origin): Answer {
  const { method, path, headers } = request;
  const prepare = Object.hasOwn(textPaths, path) ? textPaths[path] : undefined;
  if (!prepare && path !== "/v1/models" && !path.startsWith(modelPath)) throw new Refusal(404);
  if (method !== (prepare ? "POST" : "GET")) throw new Refusal(405, "Method Not Allowed");
  const key = authenticate(request);
  const wire = readWire(headers);
  if (prepare) {
    const work = prepare(readJson(request.body), { ...origin, key, wire });
    return textAnswer(work, request, origin.requestId);
  }
  return wholeAnswer(path === "/v1/models" ? listModels() : getModel(path.slice(modelPath.length)));
}

function authenticate({ headers, note }: VendorRequest): string {
  const [, bearer] = /^Bearer\s+(\S+)$/i.exec(headers.get("authorization") ?? "") ?? [];
  const key = headers.get("x-api-key") ?? bearer;
  if (key === undefined || key === "") throw new Refusal(401, "x-api-key header is required");
  note({ bearer: key });
  if (key === revokedKey) throw new Refusal(401);
  return key;
}

function readWire(headers: Headers): Wire {
  const version = headers.get("anthropic-version");
  if (version === null) throw invalid("anthropic-version", "header is required");
  if (!versions.has(version)) {
    throw invalid("anthropic-version", `"${version}" is not a valid version`);
  }
  const betas = headers.get("anthropic-beta");
  const isNewest = version === newestVersion;
  const hasSystemTurns = isNewest || betas?.includes(systemTurnsBeta) === true;
  return { isNewest, hasSystemTurns, hasBetas: betas !== null };
}

function readJson(body: Uint8Array): unknown {
  try {
    return parseJson(body);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new Refusal(400, `The request body is not valid JSON: ${error.message}`);
  }
}

function textAnswer(work: Work, { note }: VendorRequest, requestId: string): Answer {
  const { faults, isStream, model } = work;
  note({ model, stream: isStream });
  if (faults.status !== null) {
    return refusalAnswer(new Refusal(faults.status), requestId, faults);
  }
  if (!isStream) return { ...wholeAnswer(work.body()), faults };
  return {
    status: 200,
    headers: { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" },
    faults,
    content: { kind: "events", events: work.events() },
  };
}

function wholeAnswer(body: object): Answer {
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  const headers = { "content-type": "application/json" };
  return { status: 200, headers, faults: noFaults, content: { kind: "whole", bytes } };
}
