// Addresses of Vertex: a project's models by their publishers, and the wire of OpenAI.
export interface VertexRoute {
  /** Null in express mode, which has none in its address. */
  project: string | null;
  publisher: "google" | "anthropic" | "openapi";
  model: string;
  verb: string;
}

const prefix = /^\/v1(?:beta1)?\/(?:projects\/([^/]+)\/locations\/[^/]+\/)?(.+)$/;
const modelWay = /^publishers\/(google|anthropic)\/models\/([^/]+):(\w+)$/;
const openaiWay = "endpoints/openapi/chat/completions";

/** Null where there is nothing. */
export function routeOf(path: string): VertexRoute | null {
  const [, project = null, below = ""] = prefix.exec(path) ?? [];
  if (below === openaiWay && project !== null) {
    return { project, publisher: "openapi", model: "", verb: "" };
  }
  const [, publisher, model, verb] = modelWay.exec(below) ?? [];
  if (model === undefined || verb === undefined) return null;
  const name = decodeURIComponent(model);
  if (publisher === "google") return { project, publisher, model: name, verb };
  return project === null ? null : { project, publisher: "anthropic", model: name, verb };
}
