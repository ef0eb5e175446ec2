// A first call in the languages that people come with, each whole and ready to run.
import { shownOrigin } from "./markup.ts";

interface FirstCall {
  language: string;
  /** Needs besides the language itself, and the way to run it. */
  how: string;
  code: string;
}

export function firstCalls(model: string): FirstCall[] {
  return [curl(model), python(model), javascript(model), go(model), java(model)];
}

const curl = (model: string): FirstCall => ({
  language: "curl",
  how: "In a shell.",
  code: `curl ${shownOrigin}/v1/chat/completions \\
  -H "authorization: Bearer $SLUICE_KEY" -H 'content-type: application/json' \\
  -d '{"model": "${model}", "messages": [{"role": "user", "content": "Say hello."}]}'`,
});

const python = (model: string): FirstCall => ({
  language: "Python",
  how: "`pip install openai`, then `python first.py`.",
  code: `import os
from openai import OpenAI

client = OpenAI(base_url="${shownOrigin}/v1", api_key=os.environ["SLUICE_KEY"])
answer = client.chat.completions.create(
    model="${model}",
    messages=[{"role": "user", "content": "Say hello."}],
)
print(answer.choices[0].message.content)`,
});

const javascript = (model: string): FirstCall => ({
  language: "JavaScript and TypeScript",
  how: "`npm install openai`, then `node first.mjs`.",
  code: `import OpenAI from "openai";

const client = new OpenAI({ baseURL: "${shownOrigin}/v1", apiKey: process.env.SLUICE_KEY });
const answer = await client.chat.completions.create({
  model: "${model}",
  messages: [{ role: "user", content: "Say hello." }],
});
console.log(answer.choices[0].message.content);`,
});

const go = (model: string): FirstCall => ({
  language: "Go",
  how: "`go run first.go`.",
  code: `package main

import (
	"io"
	"net/http"
	"os"
	"strings"
)

func main() {
	body := strings.NewReader(\`{"model": "${model}",
		"messages": [{"role": "user", "content": "Say hello."}]}\`)
	request, err := http.NewRequest("POST", "${shownOrigin}/v1/chat/completions", body)
	if err != nil {
		panic(err)
	}
	request.Header.Set("authorization", "Bearer "+os.Getenv("SLUICE_KEY"))
	request.Header.Set("content-type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer answer.Body.Close()
	io.Copy(os.Stdout, answer.Body)
}`,
});

const java = (model: string): FirstCall => ({
  language: "Java",
  how: "Java 17 or newer: `java First.java`.",
  code: `import java.net.URI;
import java.net.http.*;

class First {
  public static void main(String[] args) throws Exception {
    var body = """
        {"model": "${model}", "messages": [{"role": "user", "content": "Say hello."}]}""";
    var request = HttpRequest.newBuilder(URI.create("${shownOrigin}/v1/chat/completions"))
        .header("authorization", "Bearer " + System.getenv("SLUICE_KEY"))
        .header("content-type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
    var answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    System.out.println(answer.body());
  }
}`,
});
