// The OpenAPI document: the rows of the route table, with what each says of itself.
import type { JsonObject } from "../../core/json.ts";
import { isMedia, type BodyEntry, type ReferenceEntry } from "../../core/reference-entry.ts";
import { Type, type TSchema } from "../../core/schema.ts";
import { version } from "../../core/version.ts";
import type { Route } from "../route.ts";
import { errorSchemas, failureSchema } from "./errors.ts";

/** The order of the page. What is not named comes last, in the order of the table. */
const firstTags = [
  "Text",
  "Models",
  "Images",
  "imgF",
  "Videos",
  "Assets",
  "Billing",
  "Records",
  "Own account",
  "Redemption codes",
  "Announcements",
  "System",
  "Signing in",
  "API keys",
  "Channels",
];

export function openApiDocument(routes: readonly Route[]): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const route of routes) {
    const path = (paths[route.path] ??= {});
    path[route.method.toLowerCase()] = toOperation(route);
  }
  const tags = routes.map(({ entry }) => entry.tag);
  return {
    openapi: "3.1.0",
    info: {
      title: "Sluice",
      version,
      description:
        "One key for models of many vendors: text in five wire formats, images, videos. " +
        "Money is counted in micros, millionths of a US dollar.",
    },
    servers: [{ url: "/" }],
    tags: [...new Set([...firstTags, ...tags])].map((name) => ({ name })),
    paths,
    components: { securitySchemes, schemas: components() },
  };
}

/** What a 200 of the route holds, with what stands around it. */
function answerSchema(route: Route, answer: TSchema): TSchema {
  if (route.policy !== "control" && route.envelope !== "session") return answer;
  const success = { success: Type.Literal(true), message: Type.Literal(""), data: answer };
  return Type.Union([Type.Object(success), failureSchema]);
}

const securitySchemes = {
  key: { type: "http", scheme: "bearer", description: "An API key." },
  "x-api-key": { type: "apiKey", in: "header", name: "x-api-key", description: "An API key." },
  google: { type: "apiKey", in: "header", name: "x-goog-api-key", description: "An API key." },
  token: { type: "http", scheme: "bearer", description: "An access token of an account." },
  session: {
    type: "apiKey",
    in: "cookie",
    name: "__Host-sluice",
    description: "The session of a browser that is signed in.",
  },
} as const;

function components(): JsonObject {
  return Object.fromEntries(
    Object.entries(errorSchemas).map(([name, schema]) => [errorName(name), plain(schema)]),
  );
}

function errorName(envelope: string): string {
  return `Error-${envelope}`;
}

function toOperation(route: Route): JsonObject {
  const { tag, summary, description, body } = route.entry;
  return {
    operationId: idOf(route),
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security: securityOf(route),
    parameters: [...pathParameters(route), ...queryParameters(route.entry)],
    ...(body && { requestBody: toBody(body) }),
    responses: {
      "200": toAnswer(route),
      default: {
        description: "An error.",
        content: json({ $ref: `#/components/schemas/${errorName(route.envelope)}` }),
      },
    },
  };
}

/** Such as `postV1ChatCompletions`. */
function idOf({ method, path }: Route): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((part) => part !== "");
  return [method.toLowerCase(), ...words.map(capital)].join("");
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function securityOf(route: Route): JsonObject[] {
  switch (route.policy) {
    case "key":
      return route.carriers.map((carrier) => ({ [carrier === "bearer" ? "key" : carrier]: [] }));
    case "control":
      return route.carriers.map((carrier) => ({ [carrier]: [] }));
    case "local":
    case "public":
    case "visitor":
      return [];
  }
}

function pathParameters({ path }: Route): JsonObject[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
}

function queryParameters({ query = {} }: ReferenceEntry): JsonObject[] {
  return Object.entries(query).map(([name, { schema, description, isRequired = false }]) => ({
    name,
    in: "query",
    required: isRequired,
    ...(description !== undefined && { description }),
    schema: plain(schema),
  }));
}

function toBody({ schema, example, isOptional, isForm }: BodyEntry) {
  const content = json(plain(schema), example);
  return {
    required: isOptional !== true,
    content: isForm ? { ...content, "multipart/form-data": { schema: plain(schema) } } : content,
  };
}

function toAnswer(route: Route): JsonObject {
  const { answer, summary } = route.entry;
  if (isMedia(answer)) return { description: answer.description, content: { [answer.type]: {} } };
  return { description: summary, content: json(plain(answerSchema(route, answer))) };
}

function json(schema: JsonObject, example?: unknown) {
  return {
    "application/json": {
      schema,
      ...(example !== undefined && { example: example as JsonObject }),
    },
  };
}

/** Without what the schema library keeps for itself. */
function plain(schema: TSchema): JsonObject {
  return JSON.parse(JSON.stringify(schema));
}
