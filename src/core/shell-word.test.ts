import { expect, test } from "bun:test";
import { shellWord } from "./shell-word.ts";

test("every text is one word of a shell, as it was", () => {
  const texts = [
    "gpt-5",
    "meta/llama 3",
    "it's $(touch x)",
    "!'\"`\\",
    "-rf",
    "",
    "~",
    "a\nb",
    "模型",
  ];
  for (const text of texts) {
    const { stdout } = Bun.spawnSync(["sh", "-c", `printf %s ${shellWord(text)}`]);
    expect(stdout.toString()).toBe(text);
  }
  expect(shellWord("gpt-5.2")).toBe("gpt-5.2");
});
