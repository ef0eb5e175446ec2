// The OpenAPI document: the rows of the route table, with what each says of itself.
import type { JsonObject } from "../../core/json.ts";
import { isMedia, type BodyEntry, type ReferenceEntry } from "../../core/reference-entry.ts";
import { Type, type TSchema } from "../../core/schema.ts";
import { version } from "../../core/version.ts";
import type { Carrier } from "../credentials.ts";
import type { ControlRoute, Route } from "../route.ts";
import { sessionCookies } from "../session/cookie.ts";
import { describeError, describeFields, wordsOfField, wordsOfTag } from "./describe-fields.ts";
import { errorSchemas, failureSchema } from "./errors.ts";
import { refusalsOf, refusalWords } from "./refusals.ts";

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
    if (route.aliasOf !== undefined) continue;
    const path = (paths[route.path] ??= {});
    path[route.method.toLowerCase()] = toOperation(route, aliasesOf(route, routes));
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

/** Further paths of the same row. */
function aliasesOf({ method, path }: Route, routes: readonly Route[]): string[] {
  const aliases = routes.filter((one) => one.aliasOf === path && one.method === method);
  return aliases.map((alias) => alias.path);
}

/** The control plane says in the body of a 200 that something was refused. */
function refusesInStatus({ policy, envelope }: Route): boolean {
  return policy !== "control" && envelope !== "session";
}

const failureReference = { $ref: `#/components/schemas/${errorName("session")}` };

/** Schema of a 200 of the route, with the envelope around it. */
function answerSchema(route: Route, answer: TSchema): TSchema {
  if (refusesInStatus(route)) return answer;
  const success = { success: Type.Literal(true), message: Type.Literal(""), data: answer };
  return Type.Union([Type.Object(success), failureSchema]);
}

const securitySchemes = {
  key: { type: "http", scheme: "bearer", description: "An API key." },
  "x-api-key": { type: "apiKey", in: "header", name: "x-api-key", description: "An API key." },
  "api-key": { type: "apiKey", in: "header", name: "api-key", description: "An API key." },
  google: { type: "apiKey", in: "header", name: "x-goog-api-key", description: "An API key." },
  token: { type: "http", scheme: "bearer", description: "An access token of an account." },
  session: {
    type: "apiKey",
    in: "cookie",
    name: sessionCookies.https,
    description: "The session of a browser that is signed in, over https.",
  },
  "session-plain": {
    type: "apiKey",
    in: "cookie",
    name: sessionCookies.plain,
    description: "The same on the gateway's own machine, where it is opened without https.",
  },
} as const;

function components(): JsonObject {
  return Object.fromEntries(
    Object.entries(errorSchemas).map(([name, schema]) => [
      errorName(name),
      describeError(plain(schema)),
    ]),
  );
}

function errorName(envelope: string): string {
  return `Error-${envelope}`;
}

function toOperation(route: Route, aliases: readonly string[]): JsonObject {
  const { tag, summary, description, body, fileTypes } = route.entry;
  return {
    operationId: idOf(route),
    tags: [tag],
    summary,
    ...describe(route, description, aliases),
    security: securityOf(route),
    ...(route.policy === "control" &&
      route.permission !== undefined && { "x-permission": route.permission }),
    parameters: [...pathParameters(route), ...queryParameters(route.entry)],
    ...(body && { requestBody: toBody(body, tag) }),
    ...(fileTypes && { requestBody: { required: true, content: ofAny(fileTypes) } }),
    responses: {
      "200": { ...toAnswer(route), headers: everyAnswer },
      ...(route.entry.redirect !== undefined && {
        "303": {
          description: route.entry.redirect,
          headers: { ...everyAnswer, location: { schema: { type: "string" } } },
        },
      }),
      ...(isFile(route) && partsOfFile),
      ...refusals(route),
    },
  };
}

function isFile({ entry, path, method }: Route): boolean {
  const isRead = method === "GET" && path.includes("{");
  return isRead && isMedia(entry.answer) && entry.answer.type !== "text/event-stream";
}

const partsOfFile = {
  "206": { description: "A part of the file, by `Range`." },
  "304": { description: "The file is as the client has it." },
};

const everyAnswer = {
  "x-request-id": { description: "Finds the request in the log.", schema: { type: "string" } },
};

/** Say in words as well who may call it: not every reader of the document knows extensions. */
function describe(
  route: Route,
  description: string | undefined,
  aliases: readonly string[],
): { description?: string } {
  const also = aliases.map((path) => `\`${path}\``).join(", ");
  const words = [
    description,
    ...(aliases.length > 0 ? [`Also at ${also}.`] : []),
    ...(route.policy === "control" ? [whoMay(route)] : []),
  ];
  const sentences = words.filter((one) => one !== undefined);
  return sentences.length === 0 ? {} : { description: sentences.join(" ") };
}

function whoMay({ carriers, showsSecret, ...route }: ControlRoute): string {
  const isForPeople = carriers.every((carrier) => carrier === "session");
  const how = isForPeople ? " Signed in, not by an access token." : "";
  return `${whom(route)}${how}${showsSecret ? " Not by a token that only reads." : ""}`;
}

function whom({ permission, others, seats, path }: Omit<ControlRoute, "carriers">): string {
  const seated = (seats ?? []).map((seat) => `\`${seat}\``).join(", ");
  if (path.includes("{organisation}")) return `For these seats in the organisation: ${seated}.`;
  const own = permission === undefined ? "For every account." : `Needs \`${permission}\`.`;
  const other = others === undefined ? "" : ` About another account it needs \`${others}\`.`;
  const scoped = seats ? ` With \`as\`, for these seats in that organisation: ${seated}.` : "";
  return `${own}${other}${scoped}`;
}

function refusals(route: Route): JsonObject {
  const schema = { $ref: `#/components/schemas/${errorName(route.envelope)}` };
  const retryAfter = { description: "Seconds to wait.", schema: { type: "string" } };
  return Object.fromEntries(
    refusalsOf(route).map((status) => [
      status,
      {
        description: refusalWords[status] ?? "Refused.",
        headers: status === "429" ? { ...everyAnswer, "retry-after": retryAfter } : everyAnswer,
        content: json(schema),
      },
    ]),
  );
}

/** Such as `postV1ChatCompletions`. */
function idOf({ method, path }: Route): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((part) => part !== "");
  return [method.toLowerCase(), ...words.map(capital)].join("");
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

const schemesOfKeys = {
  bearer: "key",
  "x-api-key": "x-api-key",
  "api-key": "api-key",
  google: "google",
} as const satisfies Record<Carrier, keyof typeof securitySchemes>;

function securityOf(route: Route): JsonObject[] {
  switch (route.policy) {
    case "key":
      return route.carriers.map((carrier) => ({ [schemesOfKeys[carrier]]: [] }));
    case "control":
      return route.carriers.flatMap((carrier): JsonObject[] =>
        carrier === "session" ? [{ session: [] }, { "session-plain": [] }] : [{ [carrier]: [] }],
      );
    case "local":
      return [{}, { token: [] }, { session: [] }, { "session-plain": [] }];
    case "public":
    case "visitor":
      return [];
  }
}

function pathParameters({ path, entry }: Route): JsonObject[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([place, name = ""]) => ({
    name,
    in: "path",
    required: true,
    description: wordsOfField(wordsOfTag(entry.tag), place),
    schema: { type: "string" },
  }));
}

function queryParameters({ query = {}, tag }: ReferenceEntry): JsonObject[] {
  return Object.entries(query).map(([name, { schema, description, isRequired = false }]) => ({
    name,
    in: "query",
    required: isRequired,
    description: description ?? wordsOfField(wordsOfTag(tag), `?${name}`),
    schema: plain(schema),
  }));
}

function toBody({ schema, example, isOptional, isForm }: BodyEntry, tag: string) {
  const described = describeFields(plain(schema), wordsOfTag(tag), "request");
  const content = json(described, example);
  return {
    required: isOptional !== true,
    content: isForm ? { ...content, "multipart/form-data": { schema: described } } : content,
  };
}

function toAnswer(route: Route): JsonObject {
  const { answer, summary, tag } = route.entry;
  if (isMedia(answer)) {
    const { description, type, otherTypes = [] } = answer;
    const refused = refusesInStatus(route) ? {} : json(failureReference);
    return { description, content: { ...ofAny([type, ...otherTypes]), ...refused } };
  }
  const schema = plain(answerSchema(route, answer));
  const content = json(describeFields(schema, wordsOfTag(tag)));
  if (!route.entry.isStreamed) return { description: summary, content };
  return { description: summary, content: { ...content, "text/event-stream": {} } };
}

function ofAny(types: readonly string[]): JsonObject {
  return Object.fromEntries(types.map((type) => [type, {}]));
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
