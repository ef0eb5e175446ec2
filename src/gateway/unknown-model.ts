// The error for a model that a request cannot have: it says whether the key's own list, the route
// or the name itself has to change.
import { catalogueModels } from "../catalogue/models.ts";
import type { ModelKind } from "../catalogue/model.ts";
import { GatewayError } from "../core/errors.ts";
import { findImageFamily, findVideoFamily } from "../families/index.ts";
import type { Caller } from "../identity/caller.ts";

interface AskedModel {
  model: string;
  /** The kind of model the route serves. */
  wanted: ModelKind;
  /** The caller's models and group, where they matter. */
  caller?: Pick<Caller, "models" | "group">;
  /** The field in which the client named it. */
  param?: string;
}

/** The error of a model that nobody serves. */
export function unknownModel({ param = "model", ...askedModel }: AskedModel): GatewayError {
  return new GatewayError("model_not_found", { param, message: explain(askedModel) });
}

/** A model that makes something else has no price for what was asked of it. */
export function explainUnpriced(error: GatewayError, askedModel: AskedModel): GatewayError {
  if (error.code !== "model_not_priced") return error;
  const elsewhere = otherRoute(askedModel);
  const { param = "model" } = askedModel;
  return elsewhere ? new GatewayError("model_not_found", { param, message: elsewhere }) : error;
}

function explain({ model, wanted, caller }: AskedModel): string {
  const named = quoted(model);
  if (caller?.models && !caller.models.has(model)) {
    return `This key may not use the model ${named}: its own list has ${listed(caller.models)}.`;
  }
  const elsewhere = otherRoute({ model, wanted });
  if (elsewhere) return elsewhere;
  const reader = caller
    ? `No channel of this key's group ${quoted(caller.group)} serves the model ${named}.`
    : `There is no ${wanted} model ${named}.`;
  return `${reader} GET /v1/models lists the models that this key can call.`;
}

const routes: Readonly<Record<ModelKind, string>> = {
  text: "writes text: send it to POST /v1/chat/completions",
  embedding: "makes embeddings: send it to POST /v1/embeddings",
  image: "makes images: send it to POST /v1/images/generations",
  video: "makes videos: send it to POST /v1/videos",
};

function otherRoute({ model, wanted }: AskedModel): string | null {
  const kind = kindOf(model);
  return kind === null || kind === wanted ? null : `The model ${quoted(model)} ${routes[kind]}.`;
}

function kindOf(model: string): ModelKind | null {
  if (findImageFamily(model)) return "image";
  if (findVideoFamily(model)) return "video";
  return catalogueModels.get(model)?.kind ?? null;
}

const nameCharactersMax = 100;
const namesMax = 8;

function quoted(name: string): string {
  return JSON.stringify(name.slice(0, nameCharactersMax));
}

function listed(models: ReadonlySet<string>): string {
  if (models.size === 0) return "none";
  const rest = models.size - namesMax;
  const names = [...models].slice(0, namesMax).join(", ");
  return rest > 0 ? `${names} and ${rest} more` : names;
}
