// Open WebUI, as a browser uses it: the first account is made, and asks the model that its list of
// models has from the gateway.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isObject, type Json } from "../../src/core/json.ts";
import { freePort } from "../harness/nodes/free-port.ts";
import { pythonWith } from "./python.ts";
import { recipeOf } from "./clients-page.ts";
import type { Recipe } from "./recipes.ts";

const model = "chatA";
const person = { name: "Recipe", email: "recipe@example.com", password: "recipe-of-the-readme" };
/** It loads models of its own before it listens. */
const startSecondsMax = 600;

export const openWebui: Recipe = {
  name: "Open WebUI",
  isLarge: true,
  async run({ url, key }) {
    const programs = pythonWith("open-webui==0.12.4");
    const folder = mkdtempSync(join(tmpdir(), "sluice-webui-"));
    const port = freePort();
    const command = `exec env ${recipeOf("Open WebUI", url)} --port ${port}`;
    const child = Bun.spawn(["sh", "-c", command], {
      cwd: folder,
      env: {
        ...process.env,
        KEY: key,
        DATA_DIR: folder,
        PATH: `${programs}:${process.env["PATH"] ?? ""}`,
        OFFLINE_MODE: "true",
        WEBUI_SECRET_KEY: "recipe",
      },
      stdin: "ignore",
      stdout: "ignore",
      stderr: Bun.file(join(folder, "complaints")),
    });
    try {
      await started(`http://127.0.0.1:${port}/health`, child.exited);
      return await ask(`http://127.0.0.1:${port}`);
    } catch (error) {
      throw new Error(`${String(error)}\n${await Bun.file(join(folder, "complaints")).text()}`);
    } finally {
      child.kill();
      await child.exited;
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function started(url: string, ended: Promise<number>): Promise<void> {
  let isEnded = false;
  void ended.then(() => (isEnded = true));
  for (let second = 0; second < startSecondsMax && !isEnded; second++) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return;
    await Bun.sleep(1000);
  }
  throw new Error("Open WebUI did not start.");
}

async function ask(url: string): Promise<string> {
  const signedUp = await call(`${url}/api/v1/auths/signup`, person);
  const token = isObject(signedUp) ? String(signedUp["token"]) : "";
  const models = await call(`${url}/api/models`, null, token);
  if (!JSON.stringify(models).includes(`"${model}"`)) throw new Error(JSON.stringify(models));
  const messages = [{ role: "user", content: "hello" }];
  return JSON.stringify(await call(`${url}/api/chat/completions`, { model, messages }, token));
}

async function call(url: string, body: object | null, token?: string): Promise<Json> {
  const answer = await fetch(url, {
    headers: {
      "content-type": "application/json",
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body && { method: "POST", body: JSON.stringify(body) }),
  });
  return (await answer.json()) as Json;
}
