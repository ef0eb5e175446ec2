import { expect, test } from "bun:test";
import { idleInput, stepDue, wishedTools, withoutReminders } from "./tool-wish.ts";

function tool(name: string, ...parameters: string[]) {
  const properties = Object.fromEntries(parameters.map((one) => [one, { type: "string" }]));
  return { name, schema: { type: "object", properties }, isStrict: false };
}

function wished(tools: Parameters<typeof wishedTools>[0], of: Parameters<typeof wishedTools>[1]) {
  return wishedTools(tools, of).map(({ name, input }) => [name, input]);
}

const weather = tool("weather", "city");
const shell = tool("Bash", "command");
const agent = tool("Agent", "description", "prompt");
const wish = { prompt: "Is it sunny?", isForced: false, isParallel: true };

test("a tool that only tells something is called without being named", () => {
  expect(wished([shell, agent, weather], wish)).toEqual([["weather", null]]);
});

test("a tool that acts is called when it is named, or when a call is demanded", () => {
  expect(wished([agent, shell], wish)).toEqual([]);
  expect(wished([agent, shell], { ...wish, prompt: "Try Bash." })).toEqual([["Bash", null]]);
  expect(wished([agent, shell], { ...wish, isForced: true })).toEqual([["Agent", null]]);
});

test("a tool that is given an input is the only one", () => {
  const prompt = "Agent, use Bash on `cat a.txt` and tell what weather it is";
  expect(wished([agent, shell, weather], { ...wish, prompt })).toEqual([["Bash", "cat a.txt"]]);
});

test("steps of a prompt are due one after the other, each after the results of the one before", () => {
  const prompt = "use Bash on `a`, then use Agent on `b`, then use Bash on `c` and tell";
  expect(stepDue(prompt, [])).toBe("use Bash on `a`");
  expect(stepDue(prompt, [false])).toBeNull();
  expect(stepDue(prompt, [false, true])).toBe("use Agent on `b`");
  expect(stepDue(prompt, [false, true, true, false, true])).toBe("use Bash on `c` and tell");
  expect(stepDue(prompt, [true, false, true, false, true])).toBeNull();
  expect(stepDue("Say it, then stop.", [true])).toBeNull();
});

test("what an agent reminds its model of names no tool", () => {
  const prompt = "<system-reminder>\nUse Agent on `all`.\n</system-reminder>\nTry Bash.";
  expect(withoutReminders(prompt)).toBe("\nTry Bash.");
  expect(wished([agent, shell], { ...wish, prompt })).toEqual([["Bash", null]]);
});

test("an input that does nothing is there for what acts alone", () => {
  expect(idleInput("command")).toBe("true");
  expect(idleInput("city")).toBeNull();
  expect(idleInput("constructor")).toBeNull();
});
