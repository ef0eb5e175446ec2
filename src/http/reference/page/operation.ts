// One operation as a section of the page.
import { isObject, type JsonObject } from "../../../core/json.ts";
import { shellWord } from "../../../core/shell-word.ts";
import { fieldTable, schemaPart, type Field } from "./fields.ts";
import { listing, markup, prose, shownOrigin, type Markup } from "./markup.ts";

export interface Operation {
  path: string;
  method: string;
  /** The operation's part of the document. */
  said: JsonObject;
}

export function operationPart({ path, method, said: described }: Operation): Markup {
  const body = contentOf(objectAt(described, "requestBody"))["application/json"];
  const { description } = described;
  return markup`<section id="${textAt(described, "operationId")}">
<h3>${textAt(described, "summary")}</h3>
<p class="address"><span class="method">${method}</span><code>${path}</code></p>
${typeof description === "string" ? markup`<p>${prose(description)}</p>` : ""}
${needsPart(described)}
${parametersPart(described)}
${isObject(body) ? schemaPart("Body", objectAt(body, "schema")) : ""}
<h4>Example</h4>
${listing(curlOf({ path, method, said: described }, isObject(body) ? body["example"] : undefined))}
${answerPart(objectAt(objectAt(described, "responses"), "200"))}
${statusesPart(objectAt(described, "responses"))}
</section>
`;
}

const credentials: Readonly<Record<string, string>> = {
  key: "an API key (`authorization: Bearer`)",
  "x-api-key": "an API key (`x-api-key`)",
  google: "an API key (`x-goog-api-key`)",
  token: "an access token (`authorization: Bearer`)",
  session: "a session's cookie",
};

function needsPart(described: JsonObject): Markup {
  const ways = waysOf(described).filter((way) => way !== "session-plain");
  const permission = described["x-permission"];
  const words = ways.map((way) => credentials[way] ?? `\`${way}\``).join(", or ");
  const needs = words === "" ? "No credential is needed." : `Needs ${words}.`;
  const least = typeof permission === "string" ? ` Permission: \`${permission}\`.` : "";
  return markup`<p class="quiet needs">${prose(needs + least)}</p>`;
}

function waysOf({ security }: JsonObject): string[] {
  const ways = Array.isArray(security) ? security.filter(isObject) : [];
  return ways.flatMap((one) => Object.keys(one));
}

function parametersPart({ parameters }: JsonObject): Markup {
  const fields = (Array.isArray(parameters) ? parameters : [])
    .filter(isObject)
    .map((one): Field => ({
      name: textAt(one, "name"),
      schema: { ...objectAt(one, "schema"), description: textAt(one, "description") },
      isRequired: one["required"] === true,
    }));
  return fields.length === 0 ? markup`` : markup`<h4>Parameters</h4>${fieldTable(fields)}`;
}

function answerPart(answer: JsonObject): Markup {
  const content = contentOf(answer);
  const schema = objectAt(objectAt(content, "application/json"), "schema");
  const isRefusal = "$ref" in schema;
  if ("application/json" in content && !isRefusal) {
    return schemaPart("Answer", successOf(schema));
  }
  const shown = Object.keys(content).filter((type) => !isRefusal || type !== "application/json");
  const types = shown.map((type) => markup`<code>${type}</code> `);
  return types.length === 0 ? markup`` : markup`<h4>Answer</h4><p>${types}</p>`;
}

/**
 * The schema of success: refusals of the control plane are the same everywhere, and errors.md has
 * them.
 */
function successOf(schema: JsonObject): JsonObject {
  const { anyOf } = schema;
  const [first] = Array.isArray(anyOf) ? anyOf : [];
  return isObject(first) && "success" in objectAt(first, "properties") ? first : schema;
}

function statusesPart(responses: JsonObject): Markup {
  const rows = Object.entries(responses).map(([status, response]) => {
    const { description = "" } = isObject(response) ? response : {};
    const streams = isObject(response) && "text/event-stream" in contentOf(response);
    const also = streams ? " May come as a stream of server-sent events." : "";
    const words = status === "200" ? `Done.${also}` : String(description);
    return markup`<tr><td><code>${status}</code></td><td>${prose(words)}</td></tr>`;
  });
  return markup`<h4>Statuses</h4><table class="statuses">${rows}</table>`;
}

function curlOf({ path, method, said: described }: Operation, example: unknown): string {
  const lines = [`curl -X ${method} ${shownOrigin}${path}`];
  const ways = waysOf(described);
  if (ways.includes("key")) lines.push('-H "authorization: Bearer $SLUICE_KEY"');
  else if (ways.includes("x-api-key")) lines.push('-H "x-api-key: $SLUICE_KEY"');
  else if (ways.includes("google")) lines.push('-H "x-goog-api-key: $SLUICE_KEY"');
  else if (ways.includes("token")) lines.push('-H "authorization: Bearer $SLUICE_TOKEN"');
  if (example !== undefined) {
    lines.push("-H 'content-type: application/json'");
    lines.push(`-d ${shellWord(JSON.stringify(example))}`);
  }
  return lines.join(" \\\n  ");
}

function contentOf(part: JsonObject): JsonObject {
  return objectAt(part, "content");
}

export function objectAt(from: JsonObject, name: string): JsonObject {
  const value = from[name];
  return isObject(value) ? value : {};
}

export function textAt(from: JsonObject, name: string): string {
  const value = from[name];
  return typeof value === "string" ? value : "";
}
