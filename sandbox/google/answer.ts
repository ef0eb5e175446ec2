// One request on Google's wire: finds the endpoint, checks the key, and answers or refuses.
import { type Json, JsonError, parseJson } from "../../src/core/json.ts";
import { noFaults } from "../directives.ts";
import { originOf, type Answer, type VendorRequest } from "../vendor.ts";
import { authenticate, checkQuery } from "./access.ts";
import { prepareCount } from "./count.ts";
import { prepareBatchEmbed, prepareEmbed } from "./embed.ts";
import { invalidField, jsonHeaders, Refusal, refusalAnswer } from "./errors.ts";
import { prepareGenerate } from "./generate.ts";
import { getModel, listModels } from "./models.ts";
import { encodeChunks, type Framing } from "./stream.ts";
import { getFile, getOperation } from "./videos/operation.ts";
import { prepareVideo } from "./videos/start.ts";
import type { Prepare, Work, WorkContext } from "./work.ts";

/** Both versions have the same. */
const version = /^\/v1(?:beta)?(?=\/)/;
const modelsPath = "/models";
const streamVerb = "streamGenerateContent";
const verbs: Readonly<Record<string, Prepare>> = {
  generateContent: prepareGenerate,
  [streamVerb]: prepareGenerate,
  countTokens: prepareCount,
  embedContent: prepareEmbed,
  batchEmbedContents: prepareBatchEmbed,
  predictLongRunning: prepareVideo,
};

type Origin = Pick<WorkContext, "serial" | "words" | "jobs">;

/** The address's request; a stream has a framing. */
interface Route {
  model: string;
  prepare: Prepare | null;
  framing: Framing | null;
}

export function answerOrRefuse(request: VendorRequest, origin: Origin): Answer {
  const route = routeOf(request);
  try {
    const stored = answerStored(request, origin);
    if (stored) return stored;
    if (!route) throw new Refusal(404);
    return answerAt(route, request, origin);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return refusalAnswer(error, { isList: route?.framing === "list" });
  }
}

/** Something made before: a job as it stands, or its file. Null when it is about neither. */
function answerStored(request: VendorRequest, { jobs }: Origin): Answer | null {
  const { method } = request;
  const path = pathOf(request);
  const [, operation] = /^\/(models\/.+\/operations\/[^/]+)$/.exec(path) ?? [];
  const [, file] = /^\/files\/([^/]+):download$/.exec(path) ?? [];
  if (method !== "GET") return null;
  if (operation !== undefined) {
    const key = authenticate(request);
    checkQuery(request.query, false);
    const name = readName(operation);
    return wholeAnswer(getOperation(jobs, { key, name, origin: originOf(request) }));
  }
  if (file === undefined) return null;
  const bytes = getFile(jobs, { key: authenticate(request), id: readName(file) });
  const headers = { "content-type": "video/mp4" };
  return { status: 200, headers, faults: noFaults, content: { kind: "whole", bytes } };
}

function routeOf(request: VendorRequest): Route | null {
  const { method, query } = request;
  const path = pathOf(request);
  if (method === "GET") {
    if (path !== modelsPath && !path.startsWith(`${modelsPath}/`)) return null;
    return { model: readName(path.slice(modelsPath.length + 1)), prepare: null, framing: null };
  }
  const [, name, verb = ""] = /^\/models\/(.+):(\w+)$/.exec(path) ?? [];
  const prepare = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (method !== "POST" || name === undefined || !prepare) return null;
  const isStream = verb === streamVerb;
  const framing = query.get("alt") === "sse" ? "events" : "list";
  return { model: readName(name), prepare, framing: isStream ? framing : null };
}

/** Behind its version; empty where it has none. */
function pathOf({ path }: VendorRequest): string {
  return version.test(path) ? path.replace(version, "") : "";
}

function readName(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

function answerAt(route: Route, request: VendorRequest, origin: Origin): Answer {
  const { model, prepare, framing } = route;
  const key = authenticate(request);
  checkQuery(request.query, prepare === null);
  if (!prepare) return wholeAnswer(model === "" ? listModels(request.query) : getModel(model));
  request.note({ model, stream: framing !== null });
  const work = prepare(readJson(request.body), { ...origin, key, model });
  const { faults } = work;
  if (faults.status !== null) {
    return refusalAnswer(new Refusal(faults.status), { faults, isList: framing === "list" });
  }
  if (framing === null || !work.chunks) return { ...wholeAnswer(work.body()), faults };
  return streamAnswer(work, work.chunks(), framing);
}

function readJson(body: Uint8Array): Json {
  try {
    return parseJson(body);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw invalidField("", `Invalid JSON payload received. ${error.message}.`);
  }
}

function wholeAnswer(body: object): Answer {
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  const headers = { ...jsonHeaders };
  return { status: 200, headers, faults: noFaults, content: { kind: "whole", bytes } };
}

function streamAnswer({ faults }: Work, all: object[], framing: Framing): Answer {
  const { errorAfter } = faults;
  const chunks =
    errorAfter === null ? all : [...all.slice(0, errorAfter), new Refusal(500).render()];
  const headers = framing === "events" ? { "content-type": "text/event-stream" } : jsonHeaders;
  const events = encodeChunks(chunks, framing);
  return { status: 200, headers: { ...headers }, faults, content: { kind: "events", events } };
}
