import { expect, test } from "bun:test";
import { wordsOfAgent } from "./agent-words.ts";

test.each([
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox 140, Linux"],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) " +
      "Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0",
    "Edge 141, Windows",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 " +
      "(KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
    "Safari 18, iPhone",
  ],
  [
    "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 " +
      "Mobile Safari/537.36",
    "Chrome 141, Android",
  ],
  ["Your account is locked: https://evil.example", null],
  ["Firefox/123456789 https://evil.example", "Firefox 1234"],
  ["", null],
])("an agent is told in words of our own: %s", (agent, words) => {
  expect(wordsOfAgent(agent)).toBe(words);
});
