// The format that a route of text speaks, told by its row's path, which is what the log keeps. What
// is no text has no format but its address.

const pathsByFormat: Readonly<Record<string, readonly string[]>> = {
  chat: ["/v1/chat/completions"],
  completions: ["/v1/completions"],
  embeddings: ["/v1/embeddings"],
  responses: ["/v1/responses", "/v1/responses/compact"],
  messages: ["/v1/messages"],
  content: [
    "/v1beta/models/{model}:generateContent",
    "/v1beta/models/{model}:streamGenerateContent",
  ],
  embedContent: ["/v1beta/models/{model}:embedContent"],
  batchEmbedContents: ["/v1beta/models/{model}:batchEmbedContents"],
};

const formats = new Map(
  Object.entries(pathsByFormat).flatMap(([format, paths]) =>
    paths.map((path) => [path, format] as const),
  ),
);

export function formatOfRoute(route: string): string {
  return formats.get(route) ?? route;
}

/** Those that speak it. */
export function routesOfFormat(format: string): readonly string[] {
  return pathsByFormat[format] ?? [format];
}
