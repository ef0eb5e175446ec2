// Clients of clouds for Python, as docs/clients.md has them: whole, streamed, and with errors of
// their own classes.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Front } from "../harness/e2e/front.ts";
import { pythonWith } from "./python.ts";
import { scriptWith } from "./clients-page.ts";
import type { Recipe } from "./recipes.ts";
import { sdkPython } from "./sdk-python.ts";
import { inFolder } from "./shell.ts";

const anthropic = "anthropic[bedrock,vertex]==2.10.0";

const moreOfAzure = `
asked = {"model": "chatB", "messages": [{"role": "user", "content": "Hello"}]}
whole = client.chat.completions.create(**asked).choices[0].message.content
chunks = [chunk for chunk in client.chat.completions.create(**asked, stream=True) if chunk.choices]
assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks) == whole
assert client.responses.create(model="chatC", input="Hello").output_text
assert client.embeddings.create(model="embedA", input="Hello").data[0].embedding
import openai
try:
    client.chat.completions.create(model="chatA", messages=[], temperature="hot")
    raise AssertionError("no error")
except openai.BadRequestError as error:
    assert error.status_code == 400, error`;

const moreOfMessages = `
asked = {"max_tokens": 500, "messages": [{"role": "user", "content": "Hello"}]}
for model in ["chatA", "chatB", "chatC"]:
    whole = client.messages.create(model=model, **asked).content[0].text
    with client.messages.stream(model=model, **asked) as stream:
        assert "".join(stream.text_stream) == whole
import anthropic
try:
    client.messages.create(model="chatB", max_tokens=500, messages=[])
    raise AssertionError("no error")
except anthropic.BadRequestError as error:
    assert "messages" in str(error), error`;

const moreOfVertexMessages = `
messages = asked["messages"]
assert client.messages.count_tokens(model="chatB", messages=messages).input_tokens > 1`;

const moreOfGoogle = `
from google.oauth2.credentials import Credentials
project = genai.Client(
    vertexai=True, project="any", location="global",
    credentials=Credentials(os.environ["KEY"]),
    http_options={"base_url": client._api_client._http_options.base_url},
)
for one in [client, project]:
    parts = one.models.generate_content_stream(model="chatC", contents="Hello")
    assert "".join(part.text or "" for part in parts) == answer.text
    assert one.models.count_tokens(model="chatC", contents="Hello").total_tokens > 1
    assert one.models.embed_content(model="embedA", contents="Hello").embeddings[0].values
    names = [model.name for model in one.models.list()]
    assert "publishers/google/models/chatC" in names, names`;

const moreOfBoto3 = `
for model in ["chatA", "chatB", "chatC"]:
    whole = json.load(client.invoke_model(modelId=model, body=body)["body"])
    streamed = client.invoke_model_with_response_stream(modelId=model, body=body)["body"]
    events = [json.loads(event["chunk"]["bytes"]) for event in streamed]
    deltas = [event["delta"] for event in events if event["type"] == "content_block_delta"]
    assert "".join(delta["text"] for delta in deltas) == whole["content"][0]["text"]
    assert events[-1]["type"] == "message_stop", events[-1]
for call in [client.invoke_model, client.invoke_model_with_response_stream]:
    try:
        call(modelId="chatB", body="{}")
        raise AssertionError("no error")
    except client.exceptions.ValidationException as error:
        assert "messages" in str(error), error`;

/** A bearer leaves it over https alone. */
const boto3: Recipe = {
  name: "boto3",
  async run({ url, key }) {
    const python = join(pythonWith("boto3==1.44.3"), "python");
    const folder = mkdtempSync(join(tmpdir(), "sluice-front-"));
    using front = new Front();
    front.target = url;
    const authority = join(folder, "authority.pem");
    writeFileSync(authority, front.certificate);
    try {
      const script = scriptWith("import boto3", url);
      const moved = script.replace("https://gateway.example.com", front.url) + moreOfBoto3;
      return await inFolder([python, "-c", moved], {
        AWS_BEARER_TOKEN_BEDROCK: key,
        AWS_CA_BUNDLE: authority,
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

export const clouds: readonly Recipe[] = [
  sdkPython("Azure, Python", "openai==3.51.0", "import AzureOpenAI", moreOfAzure),
  sdkPython("Claude on Bedrock, Python", anthropic, "import AnthropicBedrock", moreOfMessages),
  sdkPython(
    "Claude on Vertex AI, Python",
    anthropic,
    "import AnthropicVertex",
    moreOfMessages + moreOfVertexMessages,
  ),
  sdkPython("Google on Vertex AI, Python", "google-genai==3.3.0", "vertexai=True", moreOfGoogle),
  boto3,
];
