// Use of a key by a program, in the words of each client.
import { useState } from "preact/hooks";
import { curl, shellWord } from "../core/curl.ts";
import { js, lines, python, toml } from "../core/quote.ts";
import { Code } from "./code.tsx";
import { Tabs } from "./rest/tabs.tsx";
import { common } from "./page-words.ts";

const names = [
  ["curl", "curl"],
  ["python", "Python"],
  ["js", "JavaScript"],
  ["anthropic", "Anthropic"],
  ["google", "Gemini"],
  ["ai", "AI SDK"],
  ["codex", "Codex"],
  ["claude", "Claude Code"],
  ["gemini", "Gemini CLI"],
] as const;
type Client = (typeof names)[number][0];

const hello = "Hello";
const question = [{ role: "user", content: hello }];
const variable = "SLUICE_KEY";

interface Call {
  base: string;
  model: string;
  /** Null has it in a variable of the environment. */
  secret: string | null;
}

type Writer = (call: Call) => string;

const pythonKey = (secret: string | null) =>
  secret === null ? `os.environ["${variable}"]` : python(secret);
const jsKey = (secret: string | null) => (secret === null ? `process.env.${variable}` : js(secret));
const shellKey = (secret: string | null) =>
  secret === null ? `"$${variable}"` : shellWord(secret);

const writers: Readonly<Record<Client, Writer>> = {
  curl: ({ base, secret, model }) =>
    curl({
      url: `${base}/v1/chat/completions`,
      bearer: secret === null ? { variable } : { text: secret },
      body: { model, messages: question },
    }),
  python: ({ base, secret, model }) =>
    lines(
      secret === null && `import os`,
      `from openai import OpenAI`,
      ``,
      `client = OpenAI(base_url=${python(`${base}/v1`)}, api_key=${pythonKey(secret)})`,
      `answer = client.chat.completions.create(`,
      `    model=${python(model)},`,
      `    messages=[{"role": "user", "content": ${python(hello)}}],`,
      `)`,
      `print(answer.choices[0].message.content)`,
    ),
  js: ({ base, secret, model }) =>
    lines(
      `import OpenAI from "openai";`,
      ``,
      `const client = new OpenAI({ baseURL: ${js(`${base}/v1`)}, apiKey: ${jsKey(secret)} });`,
      `const answer = await client.chat.completions.create({`,
      `  model: ${js(model)},`,
      `  messages: [{ role: "user", content: ${js(hello)} }],`,
      `});`,
      `console.log(answer.choices[0].message.content);`,
    ),
  anthropic: ({ base, secret, model }) =>
    lines(
      secret === null && `import os`,
      `from anthropic import Anthropic`,
      ``,
      `client = Anthropic(base_url=${python(base)}, api_key=${pythonKey(secret)})`,
      `answer = client.messages.create(`,
      `    model=${python(model)},`,
      `    max_tokens=1024,`,
      `    messages=[{"role": "user", "content": ${python(hello)}}],`,
      `)`,
      `print(answer.content)`,
    ),
  google: ({ base, secret, model }) =>
    lines(
      secret === null && `import os`,
      `from google import genai`,
      ``,
      `options = {"base_url": ${python(base)}}`,
      `client = genai.Client(api_key=${pythonKey(secret)}, http_options=options)`,
      `answer = client.models.generate_content(`,
      `    model=${python(model)},`,
      `    contents=${python(hello)},`,
      `)`,
      `print(answer.text)`,
    ),
  ai: ({ base, secret, model }) =>
    lines(
      `import { createOpenAI } from "@ai-sdk/openai";`,
      `import { generateText } from "ai";`,
      ``,
      `const gateway = createOpenAI({ baseURL: ${js(`${base}/v1`)}, apiKey: ${jsKey(secret)} });`,
      `const { text } = await generateText({`,
      `  model: gateway(${js(model)}),`,
      `  prompt: ${js(hello)},`,
      `});`,
      `console.log(text);`,
    ),
  codex: ({ base, secret, model }) =>
    lines(
      secret !== null && `export ${variable}=${shellWord(secret)}`,
      `codex -c model_provider=sluice -c ${shellWord(`model=${toml(model)}`)} \\`,
      `  -c ${shellWord(`model_providers.sluice=${codexProvider(base)}`)}`,
    ),
  claude: ({ base, secret, model }) =>
    lines(
      `export ANTHROPIC_BASE_URL=${shellWord(base)}`,
      `export ANTHROPIC_AUTH_TOKEN=${shellKey(secret)}`,
      `claude --model ${shellWord(model)}`,
    ),
  gemini: ({ base, secret, model }) =>
    lines(
      `export GOOGLE_GEMINI_BASE_URL=${shellWord(base)}`,
      `export GEMINI_API_KEY=${shellKey(secret)}`,
      `gemini --model ${shellWord(model)}`,
    ),
};

function codexProvider(base: string): string {
  const wire = `env_key="${variable}",wire_api="responses"`;
  return `{name="Sluice",base_url=${toml(`${base}/v1`)},${wire}}`;
}

export function Snippets({ secret, model }: Pick<Call, "secret" | "model">) {
  const [client, setClient] = useState<Client>("curl");
  return (
    <Tabs label={common().use} value={client} options={names} onChange={setClient}>
      <Code text={writers[client]({ base: location.origin, secret, model })} />
    </Tabs>
  );
}
