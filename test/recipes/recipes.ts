// The clients of docs/clients.md that no test of npm drives, agents apart, each run as it stands
// there, and asked for one answer.
import { delimiter, join } from "node:path";
import { clouds } from "./clouds.ts";
import { openWebui } from "./open-webui.ts";
import { pythonWith } from "./python.ts";
import { recipeOf } from "./clients-page.ts";
import { sdkPython } from "./sdk-python.ts";
import { inFolder, output } from "./shell.ts";

export interface Target {
  url: string;
  key: string;
}

export interface Recipe {
  name: string;
  /** Some gigabytes: run only where it is named. */
  isLarge?: true;
  /** Output of the recipe; the gateway's answer is to be in that. */
  run(target: Target): Promise<string>;
}

/** Nothing is sent anywhere but to the gateway. */
const quiet = ["--yes-always", "--no-git", "--no-pretty", "--no-check-update", "--no-gitignore"];

const aider: Recipe = {
  name: "aider",
  async run({ url, key }) {
    const programs = pythonWith("aider-chat==0.86.2");
    const command = `${recipeOf("aider", url)} ${quiet.join(" ")} --message "Say hello"`;
    return await inFolder(["sh", "-c", command], { KEY: key, PATH: pathWith(programs) });
  },
};

const langchainPython: Recipe = {
  name: "LangChain, Python",
  async run({ url, key }) {
    const programs = pythonWith("langchain-openai==1.7.3");
    const script = `
import os
from langchain_openai import ChatOpenAI
llm = ${recipeOf("LangChain, Python", url)}
print(llm.invoke("hello").content)
print("".join(chunk.content for chunk in llm.stream("hello")))`;
    return await inFolder([join(programs, "python"), "-c", script], { KEY: key });
  },
};

const langchainJavascript: Recipe = {
  name: "LangChain, JavaScript",
  async run({ url, key }) {
    const script = `
import { ChatOpenAI } from "@langchain/openai";
const llm = ${recipeOf("LangChain, JavaScript", url)};
console.log((await llm.invoke("hello")).content);
let text = "";
for await (const chunk of await llm.stream("hello")) text += chunk.content;
console.log(text);`;
    const command = ["node", "--input-type=module", "--eval", script];
    return await output(command, import.meta.dir, { KEY: key });
  },
};

/** Lists and streams, under whichever version of its API the newest client asks. */
const moreOfGoogle = `
names = [model.name for model in client.models.list()]
assert "models/chatC" in names, names
parts = client.models.generate_content_stream(model="chatC", contents="Hello")
assert "".join(part.text or "" for part in parts) == answer.text`;

export const recipes: readonly Recipe[] = [
  aider,
  langchainPython,
  langchainJavascript,
  sdkPython("OpenAI, Python", "openai==3.51.0", "from openai import OpenAI"),
  sdkPython("Google, Python", "google-genai==3.3.0", "from google import genai", moreOfGoogle),
  ...clouds,
  openWebui,
];

function pathWith(programs: string): string {
  return `${programs}${delimiter}${process.env["PATH"] ?? ""}`;
}
