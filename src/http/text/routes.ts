// The text routes.
import { chat } from "../../formats/chat/index.ts";
import { completions } from "../../formats/completions/index.ts";
import { content } from "../../formats/content/index.ts";
import { batchEmbedContents, embedContent } from "../../formats/embed-content/index.ts";
import { embeddings } from "../../formats/embeddings/index.ts";
import { messages } from "../../formats/messages/index.ts";
import { predict } from "../../formats/predict/index.ts";
import { compaction, responses } from "../../formats/responses/index.ts";
import type { TextNeeds } from "../../gateway/text/serve-text.ts";
import { withAzure } from "../aliases/azure.ts";
import {
  atVertexModels,
  underBothVersions,
  withoutEmbedConfig,
  withVertex,
} from "../aliases/google.ts";
import { isDrawn, type PredictImages } from "../image/predict.ts";
import type { Incoming, KeyRoute } from "../route.ts";
import { bedrockRow, withVertexMessages } from "./cloud-messages.ts";
import { openSocket, responsesPath } from "./responses-socket.ts";
import { textEntries as entries } from "./entries.ts";
import { googleFraming } from "./stream-framing.ts";
import { addressOf, serveWith, type ServeFormat, type ServingRules } from "./serving.ts";

interface TextRouteRules extends ServingRules {
  takesSockets: boolean;
  predictImages: PredictImages;
}

export function textRoutes(needs: TextNeeds, rules: TextRouteRules): KeyRoute[] {
  const { takesSockets, predictImages } = rules;
  const serve = serveWith(needs, rules);
  const post = { method: "POST", policy: "key", isPaid: true } as const;
  const openai = { ...post, carriers: ["bearer"], envelope: "a" } as const;
  const ofOpenai = withAzure([
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
      path: "/v1/responses/compact",
      entry: entries.compact,
      serve: serve(compaction, { action: "compact" }),
    },
  ]);
  return [
    ...ofOpenai,
    {
      ...openai,
      method: "GET",
      isPaid: false,
      path: responsesPath,
      entry: entries.responsesSocket,
      serve: openSocket(takesSockets),
    },
    ...messagesRoutes(serve),
    ...googleRoutes(serve, predictImages),
  ];
}

function messagesRoutes(serve: ServeFormat): KeyRoute[] {
  const anthropic = {
    method: "POST",
    policy: "key",
    isPaid: true,
    carriers: ["bearer", "x-api-key"],
  } as const;
  const invoke: KeyRoute = {
    ...anthropic,
    envelope: "bedrock",
    path: "/model/{model}/invoke",
    entry: entries.invoke,
    serve: serve(messages),
  };
  const invokeStream: KeyRoute = {
    ...anthropic,
    envelope: "bedrock",
    path: "/model/{model}/invoke-with-response-stream",
    entry: entries.invokeStream,
    serve: serve(messages, { address: ({ params }) => addressOf(params["model"], "frames") }),
  };
  return [
    ...withVertexMessages({
      ...anthropic,
      envelope: "messages",
      path: "/v1/messages",
      entry: entries.messages,
      serve: serve(messages),
    }),
    bedrockRow(invoke, false),
    bedrockRow(invokeStream, true),
  ];
}

function googleRoutes(serve: ServeFormat, predictImages: PredictImages): KeyRoute[] {
  const google = {
    method: "POST",
    policy: "key",
    isPaid: true,
    carriers: ["bearer", "google"],
    envelope: "google",
  } as const;
  const address = ({ params }: Incoming) => addressOf(params["model"]);
  const predictVectors = serve(predict, { address });
  const predictAny: PredictImages = (incoming, call) =>
    (isDrawn(incoming.params["model"]) ? predictImages : predictVectors)(incoming, call);
  return [
    ...withVertex([
      {
        ...google,
        path: "/v1beta/models/{model}:generateContent",
        entry: entries.generateContent,
        serve: serve(content, { address }),
      },
      {
        ...google,
        path: "/v1beta/models/{model}:streamGenerateContent",
        entry: entries.streamContent,
        serve: serve(content, {
          address: ({ params, query, headers }) =>
            addressOf(params["model"], googleFraming(query, headers)),
        }),
      },
    ]),
    ...withVertex(
      [
        {
          ...google,
          path: "/v1beta/models/{model}:embedContent",
          entry: entries.embedContent,
          serve: serve(embedContent, { address }),
        },
      ],
      withoutEmbedConfig,
    ),
    ...underBothVersions([
      {
        ...google,
        path: "/v1beta/models/{model}:batchEmbedContents",
        entry: entries.batchEmbedContents,
        serve: serve(batchEmbedContents, { address }),
      },
    ]),
    ...atVertexModels({ ...google, entry: entries.predict, serve: predictAny }, "/{model}:predict"),
  ];
}
