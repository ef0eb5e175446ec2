// How a program uses a key, in the words of each client: the first call after it is made.
import { useState } from "preact/hooks";
import { Code } from "../../kit/code.tsx";
import { Tabs } from "../../kit/tabs.tsx";
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

function snippetOf(client: Client, base: string, key: string, model: string): string {
  switch (client) {
    case "curl":
      return `curl ${base}/v1/chat/completions \\\n  -H 'authorization: Bearer ${key}' \\\n  -H 'content-type: application/json' \\\n  -d '{"model":"${model}","messages":[{"role":"user","content":"${hello}"}]}'`;
    case "python":
      return `from openai import OpenAI\n\nclient = OpenAI(base_url="${base}/v1", api_key="${key}")\nanswer = client.chat.completions.create(\n    model="${model}",\n    messages=[{"role": "user", "content": "${hello}"}],\n)\nprint(answer.choices[0].message.content)`;
    case "js":
      return `import OpenAI from "openai";\n\nconst client = new OpenAI({ baseURL: "${base}/v1", apiKey: "${key}" });\nconst answer = await client.chat.completions.create({\n  model: "${model}",\n  messages: [{ role: "user", content: "${hello}" }],\n});\nconsole.log(answer.choices[0].message.content);`;
    case "anthropic":
      return `from anthropic import Anthropic\n\nclient = Anthropic(base_url="${base}", api_key="${key}")\nanswer = client.messages.create(\n    model="${model}",\n    max_tokens=1024,\n    messages=[{"role": "user", "content": "${hello}"}],\n)\nprint(answer.content)`;
    case "google":
      return `from google import genai\n\nclient = genai.Client(api_key="${key}", http_options={"base_url": "${base}"})\nanswer = client.models.generate_content(model="${model}", contents="${hello}")\nprint(answer.text)`;
    case "ai":
      return `import { createOpenAI } from "@ai-sdk/openai";\nimport { generateText } from "ai";\n\nconst gateway = createOpenAI({ baseURL: "${base}/v1", apiKey: "${key}" });\nconst { text } = await generateText({ model: gateway("${model}"), prompt: "${hello}" });`;
    case "codex":
      return `export SLUICE_KEY='${key}'\ncodex -c model_provider=sluice -c model=${model} \\\n  -c 'model_providers.sluice={name="Sluice",base_url="${base}/v1",env_key="SLUICE_KEY",wire_api="responses"}'`;
    case "claude":
      return `export ANTHROPIC_BASE_URL='${base}'\nexport ANTHROPIC_AUTH_TOKEN='${key}'\nclaude --model ${model}`;
    case "gemini":
      return `export GOOGLE_GEMINI_BASE_URL='${base}'\nexport GEMINI_API_KEY='${key}'\ngemini --model ${model}`;
  }
}

export function Snippets({ secret, model }: { secret: string; model: string }) {
  const [client, setClient] = useState<Client>("curl");
  return (
    <Tabs label={t().use} value={client} options={names} onChange={setClient}>
      <Code text={snippetOf(client, location.origin, secret, model)} />
    </Tabs>
  );
}
