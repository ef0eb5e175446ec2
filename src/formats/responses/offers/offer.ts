// The tools that a client runs itself, wherever a request declares them: alone, in namespaces, or
// as a search for more. Other dialects have one flat list, so each gets one name of its own.
import { invalid } from "../../../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import { readText } from "../../kit/openai-exchange.ts";

export interface Offer {
  kind: "function" | "custom" | "search";
  /** The one by which all other dialects know it. */
  name: string;
  namespace: string | null;
  /** Its name within the namespace. */
  ownName: string;
  description: string | null;
  declared: JsonObject;
}

export const searchName = "tool_search";

/** The vendor's name for the tools that are in no other namespace. */
const plainNamespace = "functions";
const separator = "__";

export function flatName(namespace: string | null, name: string): string {
  if (namespace === null || namespace === plainNamespace) return name;
  return namespace.endsWith(separator) ? namespace + name : namespace + separator + name;
}

/** Tools that the vendor itself would run are left out and told. */
export function readOffers(tools: Json | undefined, path: string, ignored: string[]): Offer[] {
  return eachTool(tools, path).flatMap(({ tool, place }) => {
    if (tool["type"] === "namespace") return readNamespace(tool, place, ignored);
    const offer = readOffer(tool, place, null);
    if (!offer) ignored.push(place);
    return offer ? [offer] : [];
  });
}

function readNamespace(group: JsonObject, path: string, ignored: string[]): Offer[] {
  const namespace = readText(group["name"]) ?? "";
  if (namespace === "") throw invalid(`${path}.name`, "is required");
  const offers = eachTool(group["tools"], `${path}.tools`).flatMap(({ tool, place }) => {
    const offer = readOffer(tool, place, namespace);
    if (!offer) ignored.push(place);
    return offer ? [offer] : [];
  });
  // Words about all of them have no place but with the first.
  const [first] = offers;
  const description = readText(group["description"]) ?? "";
  if (first && description !== "") {
    const own = first.description === null ? "" : `\n\n${first.description}`;
    first.description = `${namespace}: ${description}${own}`;
  }
  return offers;
}

function eachTool(tools: Json | undefined, path: string): { tool: JsonObject; place: string }[] {
  if (!Array.isArray(tools)) return [];
  return tools.map((tool, at) => {
    const place = `${path}.${at}`;
    if (!isObject(tool)) throw invalid(place, "must be an object");
    return { tool, place };
  });
}

/** Null when it is not the client who runs it. */
function readOffer(tool: JsonObject, path: string, namespace: string | null): Offer | null {
  const { type, name } = tool;
  const shared = { namespace, description: readText(tool["description"]), declared: tool };
  if (type === searchName && tool["execution"] === "client") {
    return { ...shared, kind: "search", name: searchName, ownName: searchName };
  }
  if (type !== "function" && type !== "custom") return null;
  if (typeof name !== "string" || name === "") throw invalid(`${path}.name`, "is required");
  return { ...shared, kind: type, name: flatName(namespace, name), ownName: name };
}
