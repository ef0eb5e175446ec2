// A client's reading of a stream, strictly: whatever a format does not allow is an error.
import { expect } from "bun:test";
import { isObject, type JsonObject } from "../../../src/core/json.ts";
import { readEvents, type SseEvent } from "../../../src/core/sse.ts";
import type { Usage } from "../../../src/formats/usage.ts";

export interface ToldCall {
  id: string;
  name: string;
  input: string;
}

/** One choice of an answer. */
export interface ToldChoice {
  text: string;
  refusal: string;
  reasoning: string;
  calls: ToldCall[];
  /** Queries of the vendor's search, and where it found something. */
  queries: string[];
  pages: string[];
  finish: string;
  /** The turn as the client keeps it and sends it back with its next request. */
  turn: JsonObject[];
}

export interface Told {
  choices: ToldChoice[];
  usage: Partial<Usage> | null;
}

export function emptyChoice(): ToldChoice {
  return {
    text: "",
    refusal: "",
    reasoning: "",
    calls: [],
    queries: [],
    pages: [],
    finish: "",
    turn: [],
  };
}

/** The events of a stream, which must be nothing but whole events. */
export function eventsOf(stream: string): SseEvent[] {
  expect(stream.endsWith("\n\n")).toBe(true);
  const events = readEvents(stream);
  expect(events.length).toBe(stream.split("\n\n").length - 1);
  return events;
}

export function parse(data: string): JsonObject {
  const value: unknown = JSON.parse(data);
  if (!isObject(value)) throw new Error(`an event is no object: ${data}`);
  return value;
}

export function objectIn(holder: JsonObject, name: string): JsonObject {
  const value = holder[name];
  if (!isObject(value)) throw new Error(`${name} is no object: ${JSON.stringify(holder)}`);
  return value;
}

export function objectsIn(holder: JsonObject, name: string): JsonObject[] {
  const value = holder[name];
  if (!Array.isArray(value)) throw new Error(`${name} is no list: ${JSON.stringify(holder)}`);
  return value.map((item) => {
    if (!isObject(item)) throw new Error(`${name} holds what is no object`);
    return item;
  });
}

export function textIn(holder: JsonObject, name: string): string {
  const value = holder[name];
  if (typeof value !== "string") throw new Error(`${name} is no text: ${JSON.stringify(holder)}`);
  return value;
}

export function countIn(holder: JsonObject, name: string): number {
  const value = holder[name];
  if (typeof value !== "number") throw new Error(`${name} is no number: ${JSON.stringify(holder)}`);
  return value;
}

export function maybeCount(holder: JsonObject, name: string): number {
  return holder[name] === undefined ? 0 : countIn(holder, name);
}

/** The item at a place, or an error that names what is missing. */
export function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index];
  if (item === undefined) throw new Error(`there is nothing at ${index}`);
  return item;
}
