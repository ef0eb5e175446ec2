import { describe, expect, test } from "bun:test";
import { noFaults, readFaults, withoutDirectives } from "./directives.ts";

describe("directives", () => {
  test("a prompt without one asks for nothing", () => {
    expect(readFaults("What is sandbox testing? sandbox: none", "sk-a")).toEqual(noFaults);
  });

  test("each is found anywhere in the text", () => {
    const text =
      "(sandbox:status=429), then sandbox:delay=2s. sandbox:error-after=5; sandbox:filter!";
    const faults = { ...noFaults, status: 429, delayMs: 2000, errorAfter: 5, filter: true };
    expect(readFaults(text, "sk-a")).toEqual(faults);
  });

  test("the flags are read by name", () => {
    const faults = { ...noFaults, stall: true, cut: true, garbage: true, noUsage: true };
    const text = "sandbox:stall sandbox:cut sandbox:garbage sandbox:no-usage";
    expect(readFaults(text, "sk-a")).toEqual(faults);
  });

  test("a delay is in seconds unless it says milliseconds", () => {
    expect(readFaults("sandbox:delay=200ms", null).delayMs).toBe(200);
    expect(readFaults("sandbox:delay=1.5s", null).delayMs).toBe(1500);
    expect(readFaults("sandbox:delay=3", null).delayMs).toBe(3000);
  });

  test("a directive for a key holds only for that key", () => {
    const text = "sandbox:status=500@sk-sandbox-a, sandbox:status=429@sk-sandbox-b.";
    expect(readFaults(text, "sk-sandbox-a").status).toBe(500);
    expect(readFaults(text, "sk-sandbox-b").status).toBe(429);
    expect(readFaults(text, "sk-sandbox-c").status).toBeNull();
    expect(readFaults("sandbox:cut@sk-sandbox-a", "sk-sandbox-ab").cut).toBeFalse();
  });

  test("of two that apply the first counts", () => {
    expect(readFaults("sandbox:status=500 sandbox:status=429", null).status).toBe(500);
  });

  test("a status that is no failure is ignored, and so is an unknown name", () => {
    const text = "sandbox:status=200 sandbox:status=999 sandbox:seconds=3 sandbox:fail";
    expect(readFaults(text, null)).toEqual(noFaults);
  });

  test("the model does not see them", () => {
    expect(withoutDirectives("Say hello sandbox:status=500@sk-sandbox-a")).toBe("Say hello");
  });
});
