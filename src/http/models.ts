// The model lists.
import { GatewayError, invalid } from "../core/errors.ts";
import { jsonAnswer, type Answer } from "../gateway/answer.ts";
import {
  listModels,
  renderAnthropic,
  renderGoogle,
  renderOpenai,
  renderVertex,
  type ListedModel,
  type ListNeeds,
} from "../gateway/list-models.ts";
import type { Caller } from "../identity/caller.ts";
import { withAzure } from "./aliases/azure.ts";
import { atVertexModels } from "./aliases/google.ts";
import { isGoogleClient } from "./credentials.ts";
import { modelEntries as entries } from "./models-entries.ts";
import type { Incoming, KeyRoute } from "./route.ts";

const pageSizeMax = 1000;

export function modelRoutes(needs: ListNeeds): KeyRoute[] {
  const get = { method: "GET", policy: "key", isPaid: false } as const;
  const shared = {
    ...get,
    carriers: ["bearer", "x-api-key", "google"],
    envelope: "models",
  } as const;
  const google = { ...get, carriers: ["bearer", "google"], envelope: "google" } as const;
  return [
    ...withAzure([
      {
        ...shared,
        path: "/v1/models",
        entry: entries.list,
        serve: async (incoming, { caller }) => listAsAsked(incoming, listModels(needs, caller)),
      },
      {
        ...shared,
        path: "/v1/models/{id}",
        entry: entries.read,
        serve: async (incoming, { caller }) =>
          jsonAnswer(rendererFor(incoming)(find(needs, caller, incoming.params["id"]))),
      },
    ]),
    {
      ...google,
      path: "/v1beta/models",
      entry: entries.listForGoogle,
      serve: async (incoming, { caller }) => listForGoogle(incoming, listModels(needs, caller)),
    },
    {
      ...google,
      path: "/v1beta/models/{id}",
      entry: entries.readForGoogle,
      serve: async ({ params }, { caller }) =>
        jsonAnswer(renderGoogle(find(needs, caller, params["id"]))),
    },
    ...atVertexModels(
      {
        ...google,
        entry: entries.listForVertex,
        serve: async ({ query }, { caller }) => {
          const { page, next } = pageOf(query, listModels(needs, caller));
          return jsonAnswer({ publisherModels: page.map(renderVertex), ...next });
        },
      },
      "",
    ),
    ...atVertexModels(
      {
        ...google,
        entry: entries.readForVertex,
        serve: async ({ params }, { caller }) =>
          jsonAnswer(renderVertex(find(needs, caller, params["model"]))),
      },
      "/{model}",
    ),
  ];
}

/** Anthropic's clients are told by their version header, under its real or its neutral name. */
function wantsAnthropic(headers: Headers): boolean {
  return headers.has("anthropic-version") || headers.has("vendorb-version");
}

/** Google's clients are told by where their key stands. */
function wantsGoogle({ headers, query }: Incoming): boolean {
  return isGoogleClient(headers) || query.has("key");
}

function rendererFor(incoming: Incoming): (model: ListedModel) => object {
  if (wantsGoogle(incoming)) return renderGoogle;
  return wantsAnthropic(incoming.headers) ? renderAnthropic : renderOpenai;
}

function listAsAsked(incoming: Incoming, models: readonly ListedModel[]): Answer {
  if (wantsGoogle(incoming)) {
    return jsonAnswer({ object: "list", ...googlePage(incoming, models) });
  }
  if (!wantsAnthropic(incoming.headers))
    return jsonAnswer({ object: "list", data: models.map(renderOpenai) });
  return jsonAnswer({
    object: "list",
    data: models.map(renderAnthropic),
    has_more: false,
    first_id: models[0]?.id ?? null,
    last_id: models.at(-1)?.id ?? null,
  });
}

function listForGoogle(incoming: Incoming, models: readonly ListedModel[]): Answer {
  return jsonAnswer(googlePage(incoming, models));
}

function googlePage({ query }: Incoming, models: readonly ListedModel[]) {
  const { page, next } = pageOf(query, models);
  return { models: page.map(renderGoogle), ...next };
}

function pageOf(query: URLSearchParams, models: readonly ListedModel[]) {
  const size = Math.min(readWhole(query, "pageSize") ?? pageSizeMax, pageSizeMax);
  const from = readWhole(query, "pageToken") ?? 0;
  const page = models.slice(from, from + size);
  const isLast = from + size >= models.length;
  return { page, next: isLast ? {} : { nextPageToken: String(from + size) } };
}

function readWhole(query: URLSearchParams, name: string): number | null {
  const text = query.get(name);
  if (text === null || text === "") return null;
  if (!/^\d{1,6}$/.test(text)) throw invalid(name, "is not a number.");
  return Math.max(Number(text), name === "pageSize" ? 1 : 0);
}

function find(needs: ListNeeds, caller: Caller, id: string | undefined): ListedModel {
  const model = listModels(needs, caller).find((listed) => listed.id === id);
  if (!model) {
    throw new GatewayError("not_found", { param: "model", message: "This model does not exist." });
  }
  return model;
}
