// Every client's request on its way to an upstream of every dialect.
import { expect, test } from "bun:test";
import { GatewayError } from "../../src/core/errors.ts";
import type { JsonObject } from "../../src/core/json.ts";
import type { UpstreamDialect } from "../../src/formats/exchange.ts";
import type { RequestTarget } from "../../src/formats/format.ts";
import { formats } from "../../src/formats/index.ts";
import { aliasNames } from "../../src/formats/kit/tool-names.ts";
import { toExchange, withLeftOut } from "../../src/gateway/text/plan-text.ts";
import { expectGoldenJson } from "./golden-file.ts";
import { clients, dialects, models, readBodies, readRequest, upstreamSide } from "./matrix.ts";
import type { ClientName } from "./matrix.ts";

const outputTokensMax = 8192;
/** Requests that models of different ages get in different ways. */
const aged = /^(?:reasoning|structured|json|history signed|sampling|hot|tool choice required)/;

for (const client of clients) {
  const bodies = await readBodies("requests", `${client}.json`);
  for (const dialect of dialects) {
    const name = `${client}-to-${dialect}`;
    test(`requests ${name} are as they were read and approved`, async () => {
      const encoded: Record<string, unknown> = {};
      for (const [feature, body] of Object.entries(bodies)) {
        for (const [age, model] of models[dialect].entries()) {
          if (age > 0 && (client === dialect || !aged.test(feature))) continue;
          const target = { model, stream: feature === "stream", outputTokensMax };
          const key = age === 0 ? feature : `${feature} (${model})`;
          encoded[key] = convert(client, dialect, { body, target });
        }
      }
      await expectGoldenJson(`requests/${name}.json`, encoded);
    });
  }
}

function convert(
  client: ClientName,
  dialect: UpstreamDialect,
  { body, target }: { body: JsonObject; target: RequestTarget },
): JsonObject {
  const format = formats[client];
  const before = JSON.stringify(body);
  try {
    const request = readRequest(format, body, target.stream);
    if (client === dialect) {
      const forwarded = format.forward(body, target);
      return shown(forwarded, withLeftOut([], format.fit?.(forwarded, target.model) ?? [], null));
    }
    const exchange = toExchange(format, body, request);
    const upstream = upstreamSide(dialect);
    const { exchange: aliased } = aliasNames(exchange, upstream);
    const encoded = upstream.encodeRequest(aliased, target);
    const left = formats[dialect].fit?.(encoded.body, target.model) ?? [];
    const ignored = [...exchange.ignored, ...encoded.ignored];
    return shown(encoded.body, withLeftOut(ignored, left, exchange.names));
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { refused: { code: error.code, param: error.param, message: error.message } };
  } finally {
    // Another channel may have to be asked with the same body.
    expect(JSON.stringify(body)).toBe(before);
  }
}

function shown(body: JsonObject, ignored: readonly string[]): JsonObject {
  return ignored.length === 0 ? { body } : { body, ignored: [...ignored] };
}
