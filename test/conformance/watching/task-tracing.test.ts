// Traces of tasks: the request that makes one, each attempt at its vendors, and the task itself
// from its creation to its end, also where another process sees that end.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { rmSync } from "node:fs";
import type { JsonObject } from "../../../src/core/json.ts";
import { eventually } from "../../harness/books.ts";
import { Collector, type CollectedSpan } from "../../harness/collector.ts";
import {
  rootKey,
  startGateway,
  startProcess,
  temporaryFolder,
  type Gateway,
} from "../../harness/gateway.ts";
import { ImageHost, madeOf, picture, type HostCall } from "../../harness/images/host.ts";
import { shortFilm } from "../../harness/scripted-ark.ts";

setDefaultTimeout(60_000);

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const parentId = "00f067aa0ba902b7";
const secretWords = "the heron flies at midnight";
const videoModel = "videoC-2-0-260128";
const arkTasks = "/api/v3/contents/generations/tasks";

const collector = new Collector();
const bad = new ImageHost(() => Response.json({ error: { message: "no" } }, { status: 503 }));
const good = new ImageHost(answer);
let isDone = true;

/** A maker of all three kinds, each in its own words. */
function answer({ path }: HostCall): Response {
  if (path.startsWith("/v1/images/")) return madeOf([picture()]);
  if (path === "/film.mp4") return new Response(shortFilm);
  if (path === "/fox.png") return new Response(Buffer.from(picture(), "base64"));
  if (path === arkTasks) return Response.json({ id: "cgt-1" });
  if (path.startsWith(arkTasks)) {
    const content = { video_url: `${good.url}/film.mp4` };
    return Response.json({ id: "cgt-1", status: isDone ? "succeeded" : "running", content });
  }
  if (path.startsWith("/mj/submit/")) return Response.json({ code: 1, result: "mj-1" });
  return Response.json({ id: "mj-1", status: "SUCCESS", imageUrl: `${good.url}/fox.png` });
}

function settings(): string {
  const to = (host: ImageHost, name: string, fields: JsonObject) =>
    host.channel({ name, key: `sk-${name}`, ...fields });
  const video = { type: "ark", models: [videoModel] };
  const image = { models: ["imageA-2"], model_mapping: { "imageA-2": "their-image" } };
  const imgF = { type: "midjourney", models: ["imgF-imagine"] };
  return JSON.stringify({
    sandbox: "off",
    prices: [
      { model: videoModel, second_micros: 100 },
      { model: "imageA-2", image_micros: 100 },
      { model: "imgF-imagine", image_micros: 100 },
    ],
    channels: [
      to(bad, "bad-video", { ...video, priority: 1 }),
      to(good, "good-video", video),
      to(bad, "bad-image", { ...image, priority: 1 }),
      to(good, "good-image", image),
      to(good, "good-img-f", imgF),
    ],
    distribution: { failures_to_eject: 1000, retry_budget_percent: 100 },
    tasks: { poll_first_ms: 50, poll_most_ms: 100 },
    tracing: { endpoint: collector.url, interval_ms: 50 },
  });
}

const folder = temporaryFolder();
let gateway: Gateway;

beforeAll(async () => {
  gateway = await startProcess({ config: settings(), folder });
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  for (const host of [bad, good]) await host[Symbol.asyncDispose]();
  collector[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
});

interface Created {
  requestId: string;
  taskId: string;
}

async function create(path: string, body: JsonObject, headers = {}): Promise<Created> {
  const response = await fetch(`${gateway.url}${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${rootKey}`,
      "content-type": "application/json",
      traceparent: `00-${traceId}-${parentId}-01`,
      tracestate: "other=1",
      ...headers,
    },
    body: JSON.stringify({ prompt: secretWords, ...body }),
  });
  const shown = (await response.json()) as JsonObject;
  expect([response.status, shown]).toEqual([200, shown]);
  const taskId = String(shown["task_id"] ?? shown["id"] ?? shown["result"]);
  return { requestId: response.headers.get("x-request-id") ?? "", taskId };
}

/** The task's own span, once it has come, and those below it. */
async function taskSpans(taskId: string): Promise<CollectedSpan[]> {
  return await eventually(`the span of ${taskId}`, async () => {
    const own = collector.spans.find(
      ({ attributes, kind }) => kind === 1 && attributes["sluice.task.id"] === taskId,
    );
    if (!own) return undefined;
    return [own, ...collector.spans.filter(({ parentSpanId }) => parentSpanId === own.spanId)];
  });
}

function toldAt(host: ImageHost, path: string): string[] {
  return host.calls
    .filter((call) => call.path.startsWith(path))
    .map(({ headers }) => `${headers.get("traceparent")} ${headers.get("tracestate")}`);
}

const told = (spanId = "") => `00-${traceId}-${spanId}-01 other=1`;

describe("traces of tasks", () => {
  test("a video has its request, its attempts and itself, and its vendor is told", async () => {
    const { requestId, taskId } = await create("/v1/videos", { model: videoModel, seconds: "5" });
    const [task, ...below] = await taskSpans(taskId);
    const [root, ...children] = await collector.spansOf(requestId);
    expect(below).toEqual([]);
    expect(root).toMatchObject({ traceId, parentSpanId: parentId, kind: 2 });
    expect(root?.attributes).toMatchObject({ "sluice.attempts": 2, "sluice.task.id": taskId });
    const [first, second] = children.filter(({ kind }) => kind === 3);
    expect(first?.attributes).toMatchObject({ "sluice.channel": "bad-video" });
    expect(first?.status).toEqual({ code: 2 });
    expect(second?.attributes).toMatchObject({ "sluice.channel": "good-video" });
    expect(second?.status).toEqual({});
    expect(toldAt(bad, arkTasks)).toEqual([told(first?.spanId)]);
    // Later calls are made by the task.
    const [start, ...polls] = toldAt(good, arkTasks);
    expect(start).toBe(told(second?.spanId));
    expect(new Set(polls)).toEqual(new Set([told(task?.spanId)]));
    expect(task).toMatchObject({ traceId, parentSpanId: root?.spanId, status: {} });
    expect(task?.attributes).toMatchObject({
      "gen_ai.operation.name": "generate_content",
      "gen_ai.request.model": videoModel,
      "sluice.task.kind": "video",
      "sluice.outcome": "ok",
      "sluice.channel": "good-video",
      // Length of the film itself.
      "sluice.media_seconds": 3,
      "sluice.cost_micros": 300,
    });
    // Files are fetched from whoever hosts them, who is told nothing.
    expect(toldAt(good, "/film.mp4")).toEqual(["null null"]);
  });

  test("an image task's attempts are below the task, since they are made after the answer", async () => {
    const { requestId, taskId } = await create("/v1/images/generations/async", {
      model: "imageA-2",
    });
    const [task] = await taskSpans(taskId);
    const [root] = await collector.spansOf(requestId);
    const attempts = await eventually("both attempts", async () => {
      const spans = collector.spans.filter(({ parentSpanId }) => parentSpanId === task?.spanId);
      return spans.length >= 2 ? spans : undefined;
    });
    expect(task).toMatchObject({ traceId, parentSpanId: root?.spanId });
    expect(task?.attributes).toMatchObject({
      "sluice.task.kind": "image",
      "sluice.attempts": 2,
      "sluice.images": 1,
      "sluice.cost_micros": 100,
    });
    expect(attempts.map(({ attributes }) => attributes)).toMatchObject([
      { "sluice.channel": "bad-image", "http.response.status_code": 503, "sluice.attempt": 1 },
      { "sluice.channel": "good-image", "gen_ai.request.model": "their-image" },
    ]);
    expect(attempts.map(({ status }) => status)).toEqual([{ code: 2 }, {}]);
    expect(toldAt(bad, "/v1/images/")).toEqual([told(attempts[0]?.spanId)]);
    expect(toldAt(good, "/v1/images/")).toEqual([told(attempts[1]?.spanId)]);
  });

  test("an image that is waited for under a key of the client's own is traced as a task", async () => {
    const headers = { "idempotency-key": "once" };
    const { requestId } = await create("/v1/images/generations", { model: "imageA-2" }, headers);
    const [root, ...below] = await collector.spansOf(requestId);
    expect(below).toMatchObject([{ kind: 1, name: "generate_content imageA-2" }]);
    const taskId = String(root?.attributes["sluice.task.id"]);
    expect((await taskSpans(taskId))[0]?.spanId).toBe(below[0]?.spanId ?? "");
  });

  test("an imgF task is traced as a video is", async () => {
    const { requestId, taskId } = await create("/imgF/submit/imagine", { model: "imgF-imagine" });
    const [task] = await taskSpans(taskId);
    const [root, ...children] = await collector.spansOf(requestId);
    const [attempt] = children.filter(({ kind }) => kind === 3);
    expect(task).toMatchObject({ traceId, parentSpanId: root?.spanId });
    expect(toldAt(good, "/mj/submit/")).toEqual([told(attempt?.spanId)]);
    expect(new Set(toldAt(good, "/mj/task/"))).toEqual(new Set([told(task?.spanId)]));
  });

  test("who asks not to be traced is not, and the vendor is told so", async () => {
    const traceparent = `00-${traceId}-${parentId}-00`;
    const body = { model: videoModel, seconds: "5" };
    const { taskId } = await create("/v1/videos", body, { traceparent });
    expect(toldAt(good, arkTasks).at(-1)).toMatch(/-00 other=1$/);
    // One that is traced, and ends later, shows that its span would have come by now.
    const later = await create("/v1/videos", body);
    await taskSpans(later.taskId);
    const ids = collector.spans.map(({ attributes }) => attributes["sluice.task.id"]);
    expect(ids).not.toContain(taskId);
  });

  test("a task that outlives its process ends in the trace that it began in", async () => {
    isDone = false;
    const { taskId } = await create("/v1/videos", { model: videoModel, seconds: "5" });
    await gateway.kill();
    gateway = await startGateway({ config: settings(), folder });
    isDone = true;
    const [task] = await taskSpans(taskId);
    expect(task).toMatchObject({ traceId, status: {} });
    expect(toldAt(good, arkTasks).at(-1)).toBe(told(task?.spanId));
  });

  test("nothing of a prompt or a key is in what a collector gets", () => {
    for (const { text } of collector.calls) {
      for (const hidden of [secretWords, rootKey, "sk-good-video"]) {
        expect(text).not.toContain(hidden);
      }
    }
  });
});
