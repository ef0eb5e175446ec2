// Videos by Veo below a project: the operation is named in full, asked about by a call to its
// model, and ends with the film's own bytes.
import { isObject, type JsonObject } from "../../src/core/json.ts";
import { invalid, Refusal } from "../google/errors.ts";
import type { Answer, Vendor, VendorRequest } from "../vendor.ts";
import { jsonAnswer, jsonBodyOf } from "../wire.ts";
import { behind } from "./gemini.ts";
import type { VertexAsk, VertexVendors } from "./ask.ts";

const above = (project: string | null) =>
  `projects/${project ?? "express"}/locations/global/publishers/google/`;

export function startVideo(ask: VertexAsk, { google }: VertexVendors): Answer {
  const body = jsonBodyOf(ask.request);
  if (!isObject(body)) throw invalid("instances: must not be empty.");
  const text = JSON.stringify(plain(body));
  const answer = google.answer({ ...behind(ask), body: new TextEncoder().encode(text) });
  if (answer.status !== 200) return answer;
  const { name } = readBody(answer);
  return { ...jsonAnswer({ name: `${above(ask.project)}${String(name)}` }), faults: answer.faults };
}

/** Without what only this place takes. */
function plain({ instances, parameters }: JsonObject): JsonObject {
  const { generateAudio, seed, ...rest } = isObject(parameters) ? parameters : {};
  if (generateAudio !== undefined && typeof generateAudio !== "boolean") {
    throw invalid("parameters.generateAudio: must be true or false.");
  }
  if (seed !== undefined && typeof seed !== "number") {
    throw invalid("parameters.seed: must be a number.");
  }
  const list = Array.isArray(instances) ? instances.filter(isObject) : [];
  return { instances: list.map(withFilm), parameters: rest };
}

function withFilm(instance: JsonObject): JsonObject {
  const { video, ...rest } = instance;
  if (!isObject(video)) return rest;
  const { bytesBase64Encoded: encodedVideo = null, mimeType: encoding = null } = video;
  return { ...rest, video: { encodedVideo, encoding } };
}

export function answerOperation(ask: VertexAsk, { google }: VertexVendors): Answer {
  const body = jsonBodyOf(ask.request);
  const name = isObject(body) ? body["operationName"] : null;
  const [, operation] = /\/publishers\/google\/(models\/.+)$/.exec(String(name)) ?? [];
  if (operation === undefined) throw new Refusal(404, "Operation not found.");
  const inner = { ...behind(ask), method: "GET", body: new Uint8Array() };
  const answer = google.answer({ ...inner, path: `/v1beta/${operation}` });
  if (answer.status !== 200) return answer;
  const { response, ...state } = readBody(answer);
  const own = { ...state, name: String(name) };
  return jsonAnswer(
    isObject(response) ? { ...own, response: madeOf(response, inner, google) } : own,
  );
}

/** Brings the bytes themselves, where the other API has an address of them. */
function madeOf(response: JsonObject, inner: VendorRequest, google: Vendor): JsonObject {
  const made = response["generateVideoResponse"];
  const { generatedSamples, ...rest } = isObject(made) ? made : {};
  const [sample] = Array.isArray(generatedSamples) ? generatedSamples : [];
  const video = isObject(sample) ? sample["video"] : null;
  const uri = isObject(video) ? URL.parse(String(video["uri"])) : null;
  if (!uri) return rest;
  const file = google.answer({ ...inner, path: uri.pathname.replace(/^\/google/, "") });
  if (file.content.kind !== "whole") return rest;
  const bytesBase64Encoded = Buffer.from(file.content.bytes).toString("base64");
  return { ...rest, videos: [{ bytesBase64Encoded, mimeType: "video/mp4" }] };
}

function readBody({ content }: Answer): JsonObject {
  if (content.kind !== "whole") return {};
  const value: unknown = JSON.parse(new TextDecoder().decode(content.bytes));
  return isObject(value) ? value : {};
}
