// How a program uses a key, in the words of each client.
import { useState } from "preact/hooks";
import { Code } from "./code.tsx";
import { Tabs } from "./tabs.tsx";
import { t } from "./words.ts";

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
const codexWire = `env_key="SLUICE_KEY",wire_api="responses"`;
const lines = (...all: string[]) => all.join("\n");

interface Call {
  base: string;
  key: string;
  model: string;
}

type Writer = (call: Call) => string;

const writers: Readonly<Record<Client, Writer>> = {
  curl: ({ base, key, model }) =>
    lines(
      `curl ${base}/v1/chat/completions \\`,
      `  -H 'authorization: Bearer ${key}' \\`,
      `  -H 'content-type: application/json' \\`,
      `  -d '{"model":"${model}","messages":[{"role":"user","content":"${hello}"}]}'`,
    ),
  python: ({ base, key, model }) =>
    lines(
      `from openai import OpenAI`,
      ``,
      `client = OpenAI(base_url="${base}/v1", api_key="${key}")`,
      `answer = client.chat.completions.create(`,
      `    model="${model}",`,
      `    messages=[{"role": "user", "content": "${hello}"}],`,
      `)`,
      `print(answer.choices[0].message.content)`,
    ),
  js: ({ base, key, model }) =>
    lines(
      `import OpenAI from "openai";`,
      ``,
      `const client = new OpenAI({ baseURL: "${base}/v1", apiKey: "${key}" });`,
      `const answer = await client.chat.completions.create({`,
      `  model: "${model}",`,
      `  messages: [{ role: "user", content: "${hello}" }],`,
      `});`,
      `console.log(answer.choices[0].message.content);`,
    ),
  anthropic: ({ base, key, model }) =>
    lines(
      `from anthropic import Anthropic`,
      ``,
      `client = Anthropic(base_url="${base}", api_key="${key}")`,
      `answer = client.messages.create(`,
      `    model="${model}",`,
      `    max_tokens=1024,`,
      `    messages=[{"role": "user", "content": "${hello}"}],`,
      `)`,
      `print(answer.content)`,
    ),
  google: ({ base, key, model }) =>
    lines(
      `from google import genai`,
      ``,
      `client = genai.Client(api_key="${key}", http_options={"base_url": "${base}"})`,
      `answer = client.models.generate_content(model="${model}", contents="${hello}")`,
      `print(answer.text)`,
    ),
  ai: ({ base, key, model }) =>
    lines(
      `import { createOpenAI } from "@ai-sdk/openai";`,
      `import { generateText } from "ai";`,
      ``,
      `const gateway = createOpenAI({ baseURL: "${base}/v1", apiKey: "${key}" });`,
      `const { text } = await generateText({ model: gateway("${model}"), prompt: "${hello}" });`,
    ),
  codex: ({ base, key, model }) =>
    lines(
      `export SLUICE_KEY='${key}'`,
      `codex -c model_provider=sluice -c model=${model} \\`,
      `  -c 'model_providers.sluice={name="Sluice",base_url="${base}/v1",${codexWire}}'`,
    ),
  claude: ({ base, key, model }) =>
    lines(
      `export ANTHROPIC_BASE_URL='${base}'`,
      `export ANTHROPIC_AUTH_TOKEN='${key}'`,
      `claude --model ${model}`,
    ),
  gemini: ({ base, key, model }) =>
    lines(
      `export GOOGLE_GEMINI_BASE_URL='${base}'`,
      `export GEMINI_API_KEY='${key}'`,
      `gemini --model ${model}`,
    ),
};

export function Snippets({ secret, model }: { secret: string; model: string }) {
  const [client, setClient] = useState<Client>("curl");
  return (
    <Tabs label={t().use} value={client} options={names} onChange={setClient}>
      <Code text={writers[client]({ base: location.origin, key: secret, model })} />
    </Tabs>
  );
}
