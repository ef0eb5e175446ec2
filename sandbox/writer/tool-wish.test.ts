import { expect, test } from "bun:test";
import { idleInput, inputFor, wishedTools, withoutReminders } from "./tool-wish.ts";

function tool(name: string, ...parameters: string[]) {
  const properties = Object.fromEntries(parameters.map((one) => [one, { type: "string" }]));
  return { name, schema: { type: "object", properties }, isStrict: false };
}

const weather = tool("weather", "city");
const shell = tool("Bash", "command");
const agent = tool("Agent", "description", "prompt");
const wish = { prompt: "Is it sunny?", isForced: false, isParallel: true };

test("a tool that only tells something is called without being named", () => {
  expect(wishedTools([shell, agent, weather], wish)).toEqual([weather]);
});

test("a tool that acts is called when it is named, or when a call is demanded", () => {
  expect(wishedTools([agent, shell], wish)).toEqual([]);
  expect(wishedTools([agent, shell], { ...wish, prompt: "Try Bash." })).toEqual([shell]);
  expect(wishedTools([agent, shell], { ...wish, isForced: true })).toEqual([agent]);
});

test("a tool that is given an input is the only one", () => {
  const prompt = "Agent, use Bash on `cat a.txt` and tell what weather it is";
  expect(wishedTools([agent, shell, weather], { ...wish, prompt })).toEqual([shell]);
  expect(inputFor("Bash", prompt)).toBe("cat a.txt");
  expect(inputFor("Agent", prompt)).toBeNull();
});

test("what an agent reminds its model of names no tool", () => {
  const prompt = "<system-reminder>\nUse Agent on `all`.\n</system-reminder>\nTry Bash.";
  expect(withoutReminders(prompt)).toBe("\nTry Bash.");
  expect(wishedTools([agent, shell], { ...wish, prompt })).toEqual([shell]);
});

test("an input that does nothing is there for what acts alone", () => {
  expect(idleInput("command")).toBe("true");
  expect(idleInput("city")).toBeNull();
  expect(idleInput("constructor")).toBeNull();
});
