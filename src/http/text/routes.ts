// The text routes.
import { chat } from "../../formats/chat/index.ts";
import { completions } from "../../formats/completions/index.ts";
import { content } from "../../formats/content/index.ts";
import { batchEmbedContents, embedContent } from "../../formats/embed-content/index.ts";
import { embeddings } from "../../formats/embeddings/index.ts";
import type { AddressFacts, Format, Framing } from "../../formats/format.ts";
import { messages } from "../../formats/messages/index.ts";
import { compaction, responses } from "../../formats/responses/index.ts";
import type { OpenCall } from "../../gateway/open-call.ts";
import type { Repeats } from "../../gateway/text/repeat/repeats.ts";
import { serveText, type TextNeeds } from "../../gateway/text/serve-text.ts";
import { sessionHeaders } from "../../gateway/text/session/session-headers.ts";
import { turnStateHeader } from "../../gateway/text/session/turn-state.ts";
import type { TextInput } from "../../gateway/text/text-job.ts";
import { underBothVersions } from "../google-versions.ts";
import type { Incoming, KeyRoute } from "../route.ts";
import { openSocket, responsesPath } from "./responses-socket.ts";
import { textEntries as entries } from "./entries.ts";

interface TextRouteRules {
  /** Null where no answer is given again. */
  repeats: Repeats | null;
  bodyBytesMax: number;
  takesSockets: boolean;
}

export function textRoutes(needs: TextNeeds, rules: TextRouteRules): KeyRoute[] {
  const { takesSockets } = rules;
  const serve = serveWith(needs, rules);
  const post = { method: "POST", policy: "key", isPaid: true } as const;
  const openai = { ...post, carriers: ["bearer"], envelope: "a" } as const;
  return [
    { ...openai, path: "/v1/chat/completions", entry: entries.chat, serve: serve(chat) },
    {
      ...openai,
      path: "/v1/completions",
      entry: entries.completions,
      serve: serve(completions),
    },
    {
      ...openai,
      path: "/v1/embeddings",
      entry: entries.embeddings,
      serve: serve(embeddings),
    },
    { ...openai, path: responsesPath, entry: entries.responses, serve: serve(responses) },
    {
      ...openai,
      method: "GET",
      isPaid: false,
      path: responsesPath,
      entry: entries.responsesSocket,
      serve: openSocket(takesSockets),
    },
    {
      ...openai,
      path: "/v1/responses/compact",
      entry: entries.compact,
      serve: serve(compaction, { action: "compact" }),
    },
    {
      ...post,
      carriers: ["bearer", "x-api-key"],
      envelope: "messages",
      path: "/v1/messages",
      entry: entries.messages,
      serve: serve(messages),
    },
    ...googleRoutes(serve),
  ];
}

function googleRoutes(serve: ReturnType<typeof serveWith>): KeyRoute[] {
  const google = {
    method: "POST",
    policy: "key",
    isPaid: true,
    carriers: ["bearer", "google"],
    envelope: "google",
  } as const;
  return underBothVersions([
    {
      ...google,
      path: "/v1beta/models/{model}:generateContent",
      entry: entries.generateContent,
      serve: serve(content, { address: ({ params }) => addressOf(params["model"]) }),
    },
    {
      ...google,
      path: "/v1beta/models/{model}:embedContent",
      entry: entries.embedContent,
      serve: serve(embedContent, { address: ({ params }) => addressOf(params["model"]) }),
    },
    {
      ...google,
      path: "/v1beta/models/{model}:batchEmbedContents",
      entry: entries.batchEmbedContents,
      serve: serve(batchEmbedContents, { address: ({ params }) => addressOf(params["model"]) }),
    },
    {
      ...google,
      path: "/v1beta/models/{model}:streamGenerateContent",
      entry: entries.streamContent,
      serve: serve(content, {
        address: ({ params, query }) =>
          addressOf(params["model"], query.get("alt") === "sse" ? "events" : "array"),
      }),
    },
  ]);
}

interface Variation {
  action?: "generate" | "compact";
  address?(incoming: Incoming): AddressFacts;
}

type Serve = (incoming: Incoming, call: OpenCall) => ReturnType<typeof serveText>;

function serveWith(needs: TextNeeds, { bodyBytesMax, repeats }: TextRouteRules) {
  return (format: Format, { action = "generate", address }: Variation = {}): Serve =>
    async (incoming, call) => {
      const { value, bytes, raw } = await incoming.json(bodyBytesMax);
      const input: TextInput = {
        call,
        format,
        action,
        body: value,
        bodyBytes: bytes,
        raw: (format.client?.keep && bytes <= needs.memory.entryBytesMax && raw) || null,
        address: address ? address(incoming) : null,
        wireHeaders: wireHeaders(format, incoming.headers),
        headers: incoming.headers,
        session: sessionHeaders(format, incoming.headers, call.caller.accountId),
        turnState: format.name === "responses" ? incoming.headers.get(turnStateHeader) : null,
      };
      const key = incoming.headers.get("idempotency-key");
      if (key === null || !repeats || !raw) return await serveText(needs, input);
      return await repeats.serve({ key, raw, input }, (kept) => serveText(needs, kept));
    };
}

/** A stream is asked for by its framing. */
function addressOf(model: string | undefined, framing?: Framing): AddressFacts {
  return { model: model ?? "", stream: framing !== undefined, framing: framing ?? "events" };
}

export function wireHeaders(format: Format, headers: Headers): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of format.headers) {
    const value = headers.get(name);
    if (value !== null) kept[name] = value;
  }
  return kept;
}
