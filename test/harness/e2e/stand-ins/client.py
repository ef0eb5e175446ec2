"""Stands for the vendors' own packages, of which none is installed: takes what each takes, and
sends what it sends."""
import json
import urllib.parse
import urllib.request
from types import SimpleNamespace


def ask(url, key, body, name="authorization"):
    headers = {"content-type": "application/json", name: f"Bearer {key}" if name == "authorization" else key}
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as reply:
        return json.loads(reply.read(), object_hook=lambda fields: SimpleNamespace(**fields))


class Verb:
    def __init__(self, url, key, name="authorization"):
        self.url, self.key, self.name = url, key, name

    def create(self, **body):
        answer = ask(self.url, self.key, body, self.name)
        if hasattr(answer, "output"):
            answer.output_text = answer.output[-1].content[0].text
        return answer

    generate = create
    create_and_poll = create


class OpenAI:
    def __init__(self, base_url, api_key):
        self.chat = SimpleNamespace(completions=Verb(f"{base_url}/chat/completions", api_key))
        self.responses = Verb(f"{base_url}/responses", api_key)
        self.images = Verb(f"{base_url}/images/generations", api_key)
        self.videos = Verb(f"{base_url}/videos", api_key)


class Anthropic:
    def __init__(self, base_url, api_key):
        self.messages = Verb(f"{base_url}/v1/messages", api_key, "x-api-key")


class Models:
    def __init__(self, base, key):
        self.base, self.key = base, key

    def generate_content(self, model, contents, config=None):
        text = contents if isinstance(contents, list) else [{"role": "user", "parts": [{"text": contents}]}]
        url = f"{self.base}/v1beta/models/{urllib.parse.quote(model)}:generateContent"
        answer = ask(url, self.key, {"contents": text}, "x-goog-api-key")
        return SimpleNamespace(text=answer.candidates[0].content.parts[0].text)


class Client:
    def __init__(self, api_key, http_options):
        self.models = Models(http_options["base_url"], api_key)
