// One request on OpenAI's wire: finds the endpoint, checks the key, and answers or refuses.
import { JsonError, parseJson } from "../../core/json.ts";
import { noFaults } from "../directives.ts";
import type { Answer, VendorRequest } from "../vendor.ts";
import { prepareChat } from "./chat.ts";
import { prepareCompletion } from "./completions.ts";
import { Refusal, refusalAnswer } from "./errors.ts";
import { getModel, listModels } from "./models.ts";
import type { Work, WorkContext } from "./work.ts";

const revokedKey = "sk-sandbox-revoked";
const modelPath = "/v1/models/";
const textPaths: Readonly<Record<string, (json: unknown, context: WorkContext) => Work>> = {
  "/v1/chat/completions": prepareChat,
  "/v1/completions": prepareCompletion,
};

type Origin = Omit<WorkContext, "bearer">;

export function answerOrRefuse(request: VendorRequest, origin: Origin): Answer {
  try {
    return answerAt(request, origin);
  } catch (error) {
    if (error instanceof Refusal) return refusalAnswer(error);
    throw error;
  }
}

function answerAt(request: VendorRequest, origin: Origin): Answer {
  const { method, path } = request;
  const prepare = Object.hasOwn(textPaths, path) ? textPaths[path] : undefined;
  const isModels = path === "/v1/models" || path.startsWith(modelPath);
  if (!prepare && !isModels) {
    throw new Refusal(404, { message: `Invalid URL (${method} ${path})`, code: "unknown_url" });
  }
  if (method !== (prepare ? "POST" : "GET")) {
    const message = `Not allowed to ${method} on ${path}`;
    throw new Refusal(405, { message, code: "method_not_supported" });
  }
  const bearer = authenticate(request);
  if (prepare) return textAnswer(prepare(readJson(request.body), { ...origin, bearer }), request);
  if (path === "/v1/models") return wholeAnswer(listModels());
  return wholeAnswer(getModel(path.slice(modelPath.length)));
}

function authenticate({ headers, note }: VendorRequest): string {
  const [, bearer] = /^Bearer\s+(\S+)$/i.exec(headers.get("authorization") ?? "") ?? [];
  if (bearer === undefined) {
    throw new Refusal(401, { message: "You didn't provide an API key." });
  }
  note({ bearer });
  if (bearer === revokedKey) throw new Refusal(401);
  return bearer;
}

function readJson(body: Uint8Array): unknown {
  try {
    return parseJson(body);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new Refusal(400, { message: `We could not parse the JSON body: ${error.message}.` });
  }
}

function textAnswer(work: Work, { note }: VendorRequest): Answer {
  const { faults, isStream, model } = work;
  note({ model, stream: isStream });
  if (faults.status !== null) return refusalAnswer(new Refusal(faults.status), faults);
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
