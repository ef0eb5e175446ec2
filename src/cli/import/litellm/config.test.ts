import { expect, test } from "bun:test";
import { describe as tell } from "../../../core/log.ts";
import { readProxyConfig } from "./config.ts";

test("a file that is no YAML is refused without its lines, wherever the error is told", () => {
  const text = "model_list: [\n  - { api_key: key-of-a-vendor";
  const read = () => readProxyConfig("config.yaml", { environment: {}, readFile: () => text });
  expect(read).toThrow("config.yaml is no YAML");
  let told = "";
  try {
    read();
  } catch (error) {
    told = tell(error);
  }
  expect(told).toContain("at line 2");
  expect(told).not.toContain("key-of-a-vendor");
});
