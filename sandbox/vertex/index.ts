// Vertex AI in practice: a project's addresses in front of the wires of Google, Anthropic and
// OpenAI, with tokens of its own.
import { createAnthropic } from "../anthropic/index.ts";
import { directivesOf } from "../directives.ts";
import { Refusal, refusalAnswer } from "../google/errors.ts";
import { createGoogle } from "../google/index.ts";
import { createOpenai } from "../openai/index.ts";
import type { Answer, Vendor, VendorRequest, VendorWorld } from "../vendor.ts";
import { bearerOf } from "../wire.ts";
import { claudeAnswer } from "./claude.ts";
import { geminiAnswer } from "./gemini.ts";
import { answerOperation, startVideo } from "./operation.ts";
import { embedContent, predict } from "./predict.ts";
import type { VertexAsk, VertexVendors } from "./ask.ts";
import { routeOf, type VertexRoute } from "./route.ts";
import { Tokens } from "./tokens.ts";

const missingModel = /^missing/;

export function createVertex(world: VendorWorld): Vendor {
  const vendors = {
    google: createGoogle(world),
    anthropic: createAnthropic(world),
    openai: createOpenai(world),
  };
  const tokens = new Tokens(world.clock);
  return {
    prefix: "/vertex",
    answer(request) {
      const granted = tokens.answer(request);
      if (granted) return granted;
      try {
        return answerAt(request, vendors, tokens);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return refusalAnswer(error, { isList: false });
      }
    },
  };
}

function answerAt(request: VendorRequest, vendors: VertexVendors, tokens: Tokens): Answer {
  const route = routeOf(request.path);
  if (!route || request.method !== "POST") throw new Refusal(404);
  const caller = callerOf(request, route, tokens);
  if (missingModel.test(route.model)) {
    throw new Refusal(404, `Publisher Model ${route.model} was not found in this location.`);
  }
  const ask = { ...route, request, caller };
  if (route.publisher === "anthropic") return claudeAnswer(ask, vendors);
  if (route.publisher === "openapi") return openaiAnswer(ask, vendors);
  return (verbs[route.verb] ?? geminiAnswer)(ask, vendors);
}

const verbs: Readonly<Record<string, (ask: VertexAsk, vendors: VertexVendors) => Answer>> = {
  predict,
  embedContent,
  predictLongRunning: startVideo,
  fetchPredictOperation: answerOperation,
};

function openaiAnswer({ request, caller }: VertexAsk, { openai }: VertexVendors): Answer {
  const headers = new Headers(request.headers);
  headers.set("authorization", `Bearer ${caller}`);
  return openai.answer({ ...request, path: "/v1/chat/completions", headers });
}

/** A token that holds, or a key where no project is named. */
function callerOf(request: VendorRequest, { project }: VertexRoute, tokens: Tokens): string {
  const key = request.headers.get("x-goog-api-key");
  if (key !== null) return key;
  const token = bearerOf(request);
  if (token === null || project === null) throw new Refusal(401);
  request.note({ bearer: token });
  const number = tokens.numberOf(token);
  if (number === null || number <= (endedTokens(request) ?? 0)) throw new Refusal(401);
  return project;
}

/** A prompt may ask that the first tokens are refused. */
function endedTokens({ body }: VendorRequest): number | null {
  const directives = directivesOf(new TextDecoder().decode(body), null);
  return directives.find(({ name }) => name === "expired-token")?.value ?? null;
}
