// Variables of a .env file, a line each. Where a name stands twice, the last one counts.
import type { JsonObject } from "../../core/json.ts";
import type { TextFormat } from "./parts.ts";

const assignment = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/;

export const envFormat: TextFormat = {
  empty: "",
  read(text) {
    const pairs = text.split("\n").flatMap((line) => {
      const [, name, value = ""] = assignment.exec(line) ?? [];
      return name === undefined ? [] : [[name, value] as const];
    });
    const values: JsonObject = Object.fromEntries(pairs);
    return values;
  },
  set(text, [name = ""], value) {
    const line = `${name}=${String(value)}`;
    const lines = text.split("\n");
    const index = lines.findLastIndex((one) => assignment.exec(one)?.[1] === name);
    if (index !== -1) return lines.with(index, line).join("\n");
    return `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${line}\n`;
  },
  remove(text, [name = ""]) {
    const rest = text.split("\n").filter((line) => assignment.exec(line)?.[1] !== name);
    return rest.join("\n");
  },
};
