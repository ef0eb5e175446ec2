// The text routes.
import { chat } from "../formats/chat/index.ts";
import { completions } from "../formats/completions/index.ts";
import type { Format } from "../formats/format.ts";
import { serveText, type TextParts } from "../gateway/serve-text.ts";
import type { KeyRoute } from "./route.ts";

export function textRoutes(parts: TextParts, bodyBytesMax: number): KeyRoute[] {
  return [
    textRoute("/v1/chat/completions", chat, parts, bodyBytesMax),
    textRoute("/v1/completions", completions, parts, bodyBytesMax),
  ];
}

function textRoute(path: string, format: Format, parts: TextParts, bodyBytesMax: number): KeyRoute {
  return {
    method: "POST",
    path,
    policy: "key",
    carriers: ["bearer"],
    envelope: "a",
    isPaid: true,
    async serve(incoming, { caller, admission, ended }) {
      const body = await incoming.json(bodyBytesMax);
      const { scope } = incoming;
      return await serveText(parts, {
        format,
        body: body.value,
        bodyBytes: body.bytes,
        caller,
        admission,
        scope,
        ended,
      });
    },
  };
}
