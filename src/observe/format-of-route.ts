// The format that a route of text speaks, told by its row's path, which is what the log keeps. What
// is no text has no format but its address.

const pathsByFormat: Readonly<Record<string, readonly string[]>> = {
  chat: ["/v1/chat/completions"],
  completions: ["/v1/completions"],
  embeddings: ["/v1/embeddings"],
  responses: ["/v1/responses", "/v1/responses/compact"],
  messages: ["/v1/messages"],
  content: [...googlePaths("generateContent"), ...googlePaths("streamGenerateContent")],
  embedContent: googlePaths("embedContent"),
  batchEmbedContents: googlePaths("batchEmbedContents"),
};

function googlePaths(verb: string): string[] {
  return ["/v1beta", "/v1"].map((version) => `${version}/models/{model}:${verb}`);
}

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
