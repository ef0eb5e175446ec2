// One request on OpenAI's wire: finds the endpoint, checks the key, and answers or refuses.
import { noFaults } from "../directives.ts";
import type { Answer, VendorRequest } from "../vendor.ts";
import { prepareChat } from "./chat.ts";
import { readJson } from "./check.ts";
import { prepareCompletion } from "./completions.ts";
import { prepareEmbedding } from "./embeddings.ts";
import { Refusal, refusalAnswer } from "./errors.ts";
import { createImages } from "./images/create.ts";
import type { ImageKind } from "./images/request.ts";
import { getModel, listModels } from "./models.ts";
import { prepareCompaction } from "./responses/compact.ts";
import { prepareCount } from "./responses/count.ts";
import { prepareResponse } from "./responses/create.ts";
import { cancelResponse, deleteResponse, getResponse, listInputItems } from "./responses/stored.ts";
import { createVideo } from "./videos/create.ts";
import { deleteVideo, getContent, getVideo, listVideos, type VideoFile } from "./videos/stored.ts";
import type { Work, WorkContext } from "./work.ts";

interface Visit {
  request: VendorRequest;
  context: WorkContext;
  /** Last variable part of the path. */
  id: string;
}

interface Route {
  method: string;
  path: RegExp;
  answer(visit: Visit): Answer;
}

type Prepare = (json: unknown, context: WorkContext) => Work;

const routes: readonly Route[] = [
  post("/v1/chat/completions", prepareChat),
  post("/v1/completions", prepareCompletion),
  post("/v1/embeddings", prepareEmbedding),
  post("/v1/responses", prepareResponse),
  post("/v1/responses/compact", prepareCompaction),
  post("/v1/responses/input_tokens", prepareCount),
  lookUp("GET", /^\/v1\/responses\/([^/]+)$/, ({ context, id }) => getResponse(context, id)),
  lookUp("DELETE", /^\/v1\/responses\/([^/]+)$/, ({ context, id }) => deleteResponse(context, id)),
  lookUp("POST", /^\/v1\/responses\/([^/]+)\/cancel$/, ({ context, id }) =>
    cancelResponse(context, id),
  ),
  lookUp("GET", /^\/v1\/responses\/([^/]+)\/input_items$/, ({ context, id, request }) =>
    listInputItems(context, id, request.query),
  ),
  images("/v1/images/generations", "generation"),
  images("/v1/images/edits", "edit"),
  { method: "POST", path: /^\/v1\/videos$/, answer: startVideo },
  lookUp("GET", /^\/v1\/videos$/, ({ context, request }) => listVideos(context, request.query)),
  lookUp("GET", /^\/v1\/videos\/([^/]+)$/, ({ context, id }) => getVideo(context, id)),
  lookUp("DELETE", /^\/v1\/videos\/([^/]+)$/, ({ context, id }) => deleteVideo(context, id)),
  {
    method: "GET",
    path: /^\/v1\/videos\/([^/]+)\/content$/,
    answer: ({ context, id, request }) => fileAnswer(getContent(context, id, request.query)),
  },
  lookUp("GET", /^\/v1\/models$/, listModels),
  lookUp("GET", /^\/v1\/models\/(.+)$/, ({ id }) => getModel(id)),
];

function post(path: string, prepare: Prepare): Route {
  return {
    method: "POST",
    path: new RegExp(`^${path}$`),
    answer: ({ request, context }) => workAnswer(prepare(readJson(request.body), context), request),
  };
}

function images(path: string, kind: ImageKind): Route {
  return {
    method: "POST",
    path: new RegExp(`^${path}$`),
    answer: ({ request, context }) => workAnswer(createImages(request, context, kind), request),
  };
}

function lookUp(method: string, path: RegExp, find: (visit: Visit) => object): Route {
  return { method, path, answer: (visit) => wholeAnswer(find(visit)) };
}

const revokedKey = "sk-sandbox-revoked";

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
  const found = routes.filter((route) => route.path.test(path));
  if (found.length === 0) {
    throw new Refusal(404, { message: `Invalid URL (${method} ${path})`, code: "unknown_url" });
  }
  const route = found.find((candidate) => candidate.method === method);
  if (!route) {
    const message = `Not allowed to ${method} on ${path}`;
    throw new Refusal(405, { message, code: "method_not_supported" });
  }
  const context = { ...origin, bearer: authenticate(request) };
  return route.answer({ request, context, id: route.path.exec(path)?.[1] ?? "" });
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

function workAnswer(work: Work, { note }: VendorRequest): Answer {
  const { faults, events, model } = work;
  note({ model, stream: events !== null });
  if (faults.status !== null) return refusalAnswer(new Refusal(faults.status), faults);
  if (events === null) return { ...wholeAnswer(work.body()), faults };
  return {
    status: 200,
    headers: { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" },
    faults,
    content: { kind: "events", events: events() },
  };
}

function startVideo({ request, context }: Visit): Answer {
  const { body, model, faults } = createVideo(request, context);
  request.note({ model });
  if (faults.status !== null) return refusalAnswer(new Refusal(faults.status), faults);
  return { ...wholeAnswer(body()), faults };
}

function fileAnswer({ type, bytes }: VideoFile): Answer {
  const headers = { "content-type": type };
  return { status: 200, headers, faults: noFaults, content: { kind: "whole", bytes } };
}

function wholeAnswer(body: object): Answer {
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  const headers = { "content-type": "application/json" };
  return { status: 200, headers, faults: noFaults, content: { kind: "whole", bytes } };
}
