// Fate of each field on the way from a client's format to an upstream's dialect, found out by
// sending it: the tables of docs/conversion.md are made of this.
import { GatewayError } from "../../src/core/errors.ts";
import type { JsonObject } from "../../src/core/json.ts";
import type { UpstreamDialect, Dialect } from "../../src/formats/exchange.ts";
import type { AddressFacts } from "../../src/formats/format.ts";
import { formats } from "../../src/formats/index.ts";
import { toNormalForm } from "../../src/formats/kit/normal-form.ts";
import { aliasNames } from "../../src/formats/kit/tool-names.ts";
import { fields, models, plainBodies } from "./conversion-fields.ts";
import { statusOf } from "../../src/http/envelopes/status.ts";

const dialects = ["chat", "responses", "messages", "content"] as const;
const upstreamDialects = [...dialects, "converse"] as const;

type Fate = "carried" | "left out, reported" | "400" | "as it is";

export function conversionTables(): string {
  return dialects
    .map((client) => [`### From ${client}`, "", table(client)].join("\n"))
    .join("\n\n");
}

function table(client: Dialect): string {
  const head = ["Field", ...upstreamDialects.map((dialect) => `to ${dialect}`)];
  const rows = Object.entries(fields[client]).map(([field, part]) => [
    `\`${field}\``,
    ...upstreamDialects.map((dialect) => fateOf(client, dialect, part)),
  ]);
  return layOut([head, ...rows]);
}

/** Columns as wide as their widest cell, as the formatter lays them out. */
export function layOut(rows: readonly string[][]): string {
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map((row) => row[at]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`;
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  const [head = [], ...body] = rows.map(line);
  return [head, rule, ...body].join("\n");
}

export function fateOf(client: Dialect, dialect: UpstreamDialect, part: JsonObject): Fate {
  const body = { ...plainBodies[client], ...part };
  const { client: side } = formats[client];
  const { upstream } = formats[dialect];
  if (!side || !upstream) throw new Error("a dialect has both sides");
  const address: AddressFacts | null =
    client === "content" ? { model: "shown", stream: false, framing: "events" } : null;
  try {
    const request = formats[client].read(body, address);
    if (client === dialect) return "as it is";
    const exchange = toNormalForm(side.decodeRequest(body, request));
    const aliased = aliasNames(exchange, upstream).exchange;
    const target = { model: models[dialect], stream: false, outputTokensMax: 8000 };
    const { ignored } = upstream.encodeRequest(aliased, target);
    return exchange.ignored.length + ignored.length > 0 ? "left out, reported" : "carried";
  } catch (error) {
    if (error instanceof GatewayError && statusOf(error) === 400) return "400";
    throw error;
  }
}
