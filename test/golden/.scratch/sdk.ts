import { OpenAI } from "openai";
import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import { createOpenAI } from "@ai-sdk/openai";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { streamText } from "ai";
import { clients, dialects } from "../matrix.ts";
import { canOccur, conversionOf, convertStream, scenes } from "../scenes.ts";
const enc = new TextEncoder();
let body = "";
const server = Bun.serve({
  port: 0,
  fetch: () => new Response(body, { headers: { "content-type": "text/event-stream" } }),
});
const url = server.url.origin;
const mk = () => new Response(body, { headers: { "content-type": "text/event-stream" } });
const fetchFn: any = async () => mk();
const openai = new OpenAI({ apiKey: "k", baseURL: url + "/v1", fetch: fetchFn, maxRetries: 0 });
const anthropic = new Anthropic({ apiKey: "k", baseURL: url, fetch: fetchFn, maxRetries: 0 });
const genai = new GoogleGenAI({ apiKey: "k", httpOptions: { baseUrl: url } });
const aiOpenai = createOpenAI({ apiKey: "k", baseURL: url + "/v1", fetch: fetchFn });
const aiAnthropic = createAnthropic({ apiKey: "k", baseURL: url + "/v1", fetch: fetchFn });
const aiGoogle = createGoogleGenerativeAI({
  apiKey: "k",
  baseURL: url + "/v1beta",
  fetch: fetchFn,
});
async function ai(model: any) {
  const out: any[] = [];
  const r = streamText({ model, prompt: "x", maxRetries: 0, onError() {} });
  for await (const p of r.fullStream) if (p.type === "error") throw p.error;
  return {
    text: await r.text,
    reasoning: await r.reasoningText,
    calls: (await r.toolCalls).map((c: any) => [c.toolName, JSON.stringify(c.input)]),
    finish: await r.finishReason,
    usage: await r.usage,
    sources: (await r.sources).length,
  };
}
const readers: Record<string, Record<string, () => Promise<unknown>>> = {
  chat: {
    openai: async () => {
      const r = await openai.chat.completions
        .stream({ model: "m", messages: [], stream_options: { include_usage: true } })
        .finalChatCompletion();
      return r.choices[0];
    },
    ai: () => ai(aiOpenai.chat("m")),
  },
  completions: {
    openai: async () => {
      let t = "";
      for await (const c of await openai.completions.create({
        model: "m",
        prompt: "x",
        stream: true,
      }))
        t += c.choices[0]?.text ?? "";
      return t;
    },
    ai: () => ai(aiOpenai.completion("m")),
  },
  responses: {
    openai: async () => {
      const r = await openai.responses.stream({ model: "m", input: "x" }).finalResponse();
      return [r.status, r.output_text, r.output.length];
    },
    ai: () => ai(aiOpenai.responses("m")),
  },
  messages: {
    anthropic: async () => {
      const r = await anthropic.messages
        .stream({ model: "m", max_tokens: 5, messages: [{ role: "user", content: "x" }] })
        .finalMessage();
      return [r.stop_reason, r.content];
    },
    ai: () => ai(aiAnthropic("m")),
  },
  content: {
    genai: async () => {
      const parts: any[] = [];
      let fin;
      for await (const c of await genai.models.generateContentStream({
        model: "m",
        contents: "x",
      })) {
        parts.push(...(c.candidates?.[0]?.content?.parts ?? []));
        fin = c.candidates?.[0]?.finishReason ?? fin;
      }
      return [fin, parts.length];
    },
    ai: () => ai(aiGoogle("m")),
  },
};
for (const client of clients)
  for (const dialect of dialects) {
    if (client === dialect) continue;
    for (const [scene, stream] of Object.entries(scenes[dialect].streams)) {
      if (!canOccur(scene, client) || scene === "error" || scene === "choices") continue;
      body = convertStream(conversionOf(dialect, client, scene), [enc.encode(stream)]);
      for (const [name, read] of Object.entries(readers[client]!)) {
        try {
          const v = await read();
          console.log(
            client,
            "<",
            dialect,
            scene,
            name,
            process.argv[2] === "-v" ? JSON.stringify(v) : "ok",
          );
        } catch (e) {
          console.log(
            "!!",
            client,
            "<",
            dialect,
            scene,
            name,
            String((e as Error)?.message ?? e).slice(0, 600),
          );
        }
      }
    }
  }
server.stop(true);
process.exit(0);
