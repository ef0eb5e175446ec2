// YAML, whose library is large and loaded with the first document: most gateways have no file.
import type { Json } from "../core/json.ts";
import type { YamlSource } from "./yaml-source.ts";

export async function readYaml(text: string): Promise<YamlSource> {
  const { parseYaml } = await import("./yaml-source.ts");
  return parseYaml(text);
}

export async function writeYaml(value: Json): Promise<string> {
  const { stringify } = await import("yaml");
  return stringify(value, { lineWidth: 0 });
}
