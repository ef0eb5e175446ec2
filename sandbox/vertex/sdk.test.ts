// The cloud's own clients against the sandbox's Vertex, and tokens by another's signature.
import { describe, expect, test } from "bun:test";
import { AnthropicVertex } from "@anthropic-ai/vertex-sdk";
import { GoogleGenAI } from "@google/genai";
import { OAuth2Client } from "google-auth-library";
import { importPKCS8, SignJWT } from "jose";
import { privateKey } from "../../test/harness/clouds/google-account.ts";
import { systemTimers } from "../../src/core/clock.ts";
import { startSandbox } from "../server.ts";
import { accountEmail, accountKeyId } from "./account.ts";

const hourMs = 3_600_000;
const scope = "https://www.googleapis.com/auth/cloud-platform";

class World implements AsyncDisposable {
  nowMs = Date.now();
  readonly sandbox = startSandbox({
    port: 0,
    clock: { nowMs: () => this.nowMs, monotonicMs: () => this.nowMs },
    timers: systemTimers,
    paceMs: 0,
  });
  readonly url = `${this.sandbox.url}/vertex`;

  async exchange(change: { issuer?: string; audience?: string } = {}): Promise<Response> {
    const key = await importPKCS8(privateKey, "RS256");
    const assertion = await new SignJWT({ scope })
      .setProtectedHeader({ alg: "RS256", kid: accountKeyId })
      .setIssuer(change.issuer ?? accountEmail)
      .setAudience(change.audience ?? `${this.url}/token`)
      .setIssuedAt(Math.floor(this.nowMs / 1000))
      .setExpirationTime(Math.floor(this.nowMs / 1000) + 3600)
      .sign(key);
    const grant_type = "urn:ietf:params:oauth:grant-type:jwt-bearer";
    const body = new URLSearchParams({ grant_type, assertion });
    return await fetch(`${this.url}/token`, { method: "POST", body });
  }

  async authClient(): Promise<OAuth2Client> {
    const { access_token } = (await (await this.exchange()).json()) as { access_token: string };
    const client = new OAuth2Client();
    client.setCredentials({ access_token });
    return client;
  }

  async genai(): Promise<GoogleGenAI> {
    const authClient = await this.authClient();
    return new GoogleGenAI({
      vertexai: true,
      project: "sandbox-project",
      location: "global",
      googleAuthOptions: { authClient },
      httpOptions: { baseUrl: this.url },
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.sandbox.close();
  }
}

describe("a token", () => {
  test("is granted for the account's signature and refused for another's word", async () => {
    await using world = new World();
    expect(await (await world.exchange()).json()).toMatchObject({ expires_in: 3600 });
    for (const change of [{ issuer: "other@x.test" }, { audience: "https://other.test" }]) {
      const refused = await world.exchange(change);
      expect(refused.status).toBe(400);
      expect(await refused.json()).toMatchObject({ error: "invalid_grant" });
    }
  });

  test("ends after an hour", async () => {
    await using world = new World();
    const client = await world.genai();
    const ask = { model: "gemini-3-pro", contents: "Hello." };
    expect((await client.models.generateContent(ask)).text).not.toBe("");
    world.nowMs += hourMs;
    expect(client.models.generateContent(ask)).rejects.toMatchObject({ status: 401 });
  });
});

describe("Google's client on Vertex", () => {
  test("gets answers, streams, counts and vectors", async () => {
    await using world = new World();
    const { models } = await world.genai();
    const ask = { model: "gemini-3-pro", contents: "Where do lighthouses stand?" };
    const whole = await models.generateContent(ask);
    expect(whole.usageMetadata).toMatchObject({ trafficType: "ON_DEMAND" });
    let text = "";
    for await (const chunk of await models.generateContentStream(ask)) text += chunk.text ?? "";
    expect(text).not.toBe("");
    expect((await models.countTokens(ask)).totalTokens).toBeGreaterThan(0);
    const { embeddings } = await models.embedContent({
      model: "text-embedding-005",
      contents: ["The sea.", "The land."],
      config: { outputDimensionality: 4 },
    });
    expect(embeddings?.map(({ values }) => values?.length)).toEqual([4, 4]);
    expect(embeddings?.[0]?.statistics?.tokenCount).toBeGreaterThan(0);
  });

  test("gets pictures and films", async () => {
    await using world = new World();
    const { models, operations } = await world.genai();
    const drawn = await models.generateImages({
      model: "imagen-4.0-generate-001",
      prompt: "A fox",
    });
    const [picture] = drawn.generatedImages ?? [];
    expect(picture?.image?.imageBytes?.startsWith("iVBOR")).toBe(true);
    let operation = await models.generateVideos({ model: "veo-3.1", prompt: "A fox runs" });
    world.nowMs += 60_000;
    operation = await operations.getVideosOperation({ operation });
    const [film] = operation.response?.generatedVideos ?? [];
    expect(film?.video?.videoBytes?.startsWith("AAAAIGZ0eXB")).toBe(true);
  });
});

describe("Anthropic's client on Vertex", () => {
  test("gets answers, streams and counts", async () => {
    await using world = new World();
    const authClient = await world.authClient();
    const client = new AnthropicVertex({
      baseURL: `${world.url}/v1`,
      projectId: "sandbox-project",
      region: "global",
      authClient,
    });
    const ask = {
      model: "claude-sonnet-4-5@20250929",
      max_tokens: 100,
      messages: [{ role: "user" as const, content: "Where do lighthouses stand?" }],
    };
    const message = await client.messages.create(ask);
    expect(message.content[0]).toMatchObject({ type: "text" });
    const streamed = await client.messages.stream(ask).finalMessage();
    expect(streamed.usage.output_tokens).toBeGreaterThan(0);
    const { max_tokens: _bound, ...counted } = ask;
    expect((await client.messages.countTokens(counted)).input_tokens).toBeGreaterThan(0);
  });
});
