// A call as code of each client, with the key in a variable of the environment.
import { curl } from "../../core/curl.ts";
import { js, lines, python } from "../../core/quote.ts";
import type { Call, TextFormat } from "../../core/text/formats.ts";

export const clients = [
  ["curl", "curl"],
  ["python", "Python"],
  ["js", "JavaScript"],
  ["ai", "AI SDK"],
] as const;
export type Client = (typeof clients)[number][0];
export type CodeKind = TextFormat | "image" | "video";

export function codeOf(client: Client, kind: CodeKind, { path, body }: Call): string {
  const { origin } = location;
  if (client === "curl") {
    return curl({ url: origin + path, bearer: { variable }, body, isStream: true, isWide: true });
  }
  const { stream: _stream, ...fields } = body as Record<string, unknown>;
  if (client === "ai" && kind !== "image" && kind !== "video") return aiOf(kind, path, fields);
  return client === "python" ? pythonOf(kind, path, fields) : jsOf(kind, path, fields);
}

const variable = "SLUICE_KEY";

const methods = {
  chat: "chat.completions.create",
  responses: "responses.create",
  messages: "messages.create",
  image: "images.generate",
} as const;

/** The part of an answer that one wants to see first. */
const shown = {
  chat: "answer.choices[0].message.content",
  responses: "answer.output_text",
  messages: "answer.content",
  image: "answer.data",
  video: "answer",
} as const;

type Fields = Record<string, unknown>;

/** Gemini has the model in the path, and all but the content in `config`. */
function googleFields(path: string, fields: Fields): Fields {
  const { contents, generationConfig, ...rest } = fields;
  const model = decodeURIComponent(/models\/([^:]+)/.exec(path)?.[1] ?? "");
  return { model, contents, config: { ...rest, ...(generationConfig as object) } };
}

function pythonOf(kind: CodeKind, path: string, fields: Fields): string {
  const given = kind === "content" ? googleFields(path, fields) : fields;
  const named = Object.entries(given).map(([name, value]) => `    ${name}=${python(value, 1)},`);
  const { origin } = location;
  const key = `api_key=os.environ["${variable}"]`;
  const calling = (method: string) => lines(`answer = client.${method}(`, ...named, `)`);
  if (kind === "content") {
    const options = `http_options={"base_url": ${python(origin)}}`;
    const client = `client = genai.Client(${key}, ${options})`;
    const all = [`import os`, `from google import genai`, ``, client];
    return lines(...all, calling("models.generate_content"), `print(answer.text)`);
  }
  const [module, name, base] =
    kind === "messages" ? ["anthropic", "Anthropic", origin] : ["openai", "OpenAI", `${origin}/v1`];
  const method = kind === "video" ? "videos.create_and_poll" : methods[kind];
  return lines(
    `import os`,
    `from ${module} import ${name}`,
    ``,
    `client = ${name}(base_url=${python(base)}, ${key})`,
    calling(method),
    `print(${shown[kind]})`,
  );
}

function jsOf(kind: CodeKind, path: string, fields: Fields): string {
  const { origin } = location;
  const key = `process.env.${variable}`;
  const text = js(kind === "content" ? googleFields(path, fields) : fields);
  if (kind === "content") {
    return lines(
      `import { GoogleGenAI } from "@google/genai";`,
      ``,
      `const client = new GoogleGenAI({`,
      `  apiKey: ${key},`,
      `  httpOptions: { baseUrl: ${js(origin)} },`,
      `});`,
      `const answer = await client.models.generateContent(${text});`,
      `console.log(answer.text);`,
    );
  }
  const isAnthropic = kind === "messages";
  const name = isAnthropic ? "Anthropic" : "OpenAI";
  const base = isAnthropic ? origin : `${origin}/v1`;
  const method = kind === "video" ? "videos.createAndPoll" : methods[kind];
  return lines(
    `import ${name} from "${isAnthropic ? "@anthropic-ai/sdk" : "openai"}";`,
    ``,
    `const client = new ${name}({ baseURL: ${js(base)}, apiKey: ${key} });`,
    `const answer = await client.${method}(${text});`,
    `console.log(${shown[kind]});`,
  );
}

const makers = {
  chat: ["openai", "createOpenAI", "/v1", ".chat"],
  responses: ["openai", "createOpenAI", "/v1", ""],
  messages: ["anthropic", "createAnthropic", "/v1", ""],
  content: ["google", "createGoogleGenerativeAI", "/v1beta", ""],
} as const;

function aiOf(kind: TextFormat, path: string, fields: Fields): string {
  const [module, maker, base, method] = makers[kind];
  const { model } = kind === "content" ? googleFields(path, fields) : fields;
  return lines(
    `import { ${maker} } from "@ai-sdk/${module}";`,
    `import { generateText } from "ai";`,
    ``,
    `const gateway = ${maker}({`,
    `  baseURL: ${js(location.origin + base)},`,
    `  apiKey: process.env.${variable},`,
    `});`,
    `const { text } = await generateText({`,
    `  model: gateway${method}(${js(model)}),`,
    `  prompt: ${js(promptOf(fields))},`,
    `});`,
    `console.log(text);`,
  );
}

/** The last that was asked, in whichever of the formats. */
function promptOf(fields: Fields): string {
  const { messages, input, contents } = fields;
  const last = [messages, input, contents].find(Array.isArray)?.at(-1) as
    { content?: string; parts?: { text?: string }[] } | undefined;
  return last?.content ?? last?.parts?.[0]?.text ?? "";
}
