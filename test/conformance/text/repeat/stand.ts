// A gateway in front of one scripted vendor of each dialect, and requests that have a key of their
// client's own.
import { afterAll } from "bun:test";
import type { Dialect } from "../../../../src/formats/exchange.ts";
import { clients } from "../../../harness/clients/index.ts";
import { dialects } from "../../../harness/dialects.ts";
import { startGateway, type Gateway, type GatewayOptions } from "../../../harness/gateway.ts";
import { Vendor, type VendorReply } from "../../../harness/vendor.ts";
import { defaultCounts, wires } from "../../../harness/wires.ts";
import { useStand } from "../../../harness/nodes/stand.ts";

export const spoken = "One two three four five.";
/** A token costs one micro. */
export const chargedMicros = defaultCounts.input + defaultCounts.output;

const price = { input_micros_per_million: 1e6, output_micros_per_million: 1e6 };

export interface Asked {
  key: string;
  idempotencyKey?: string;
  stream?: boolean;
  prompt?: string;
  /** Stream, and events of it, that the client has. */
  place?: string;
  at?: Gateway;
  signal?: AbortSignal;
}

export class RepeatStand {
  readonly vendors = Object.fromEntries(
    dialects.map((dialect) => [dialect, new Vendor((_request, reply) => reply.cut())]),
  ) as Record<Dialect, Vendor>;
  readonly gateway: Gateway;

  constructor(text: object = {}, options: Pick<GatewayOptions, "isOnFiles"> = {}) {
    afterAll(() => {
      for (const vendor of Object.values(this.vendors)) vendor[Symbol.dispose]();
    });
    const channels = dialects.map((dialect) =>
      this.vendors[dialect].channel({
        name: dialect,
        ...wires[dialect].channel,
        models: [dialect],
      }),
    );
    const prices = dialects.map((model) => ({ model, ...price }));
    const timeouts = { first_byte_ms: 30_000, stall_ms: 30_000 };
    const distribution = { failures_to_eject: 1000, retry_budget_percent: 100 };
    const config = JSON.stringify({ channels, prices, timeouts, distribution, text });
    this.gateway = useStand(() => startGateway({ config, ...options }));
  }

  /** Count of the requests that its vendor got. */
  calls(dialect: Dialect): number {
    return this.vendors[dialect].requests.length;
  }

  /** Answers whole or as a stream, as it is asked, once the gate is open. */
  answers(dialect: Dialect, gate: Promise<void> = Promise.resolve()): void {
    this.vendors[dialect].script = async ({ body, path }, reply) => {
      const isStream = body["stream"] === true || path.includes("streamGenerate");
      if (!isStream) {
        await gate;
        return reply.json(wires[dialect].reply(spoken, defaultCounts));
      }
      this.begin(dialect, reply);
      await gate;
      reply.chunk(wires[dialect].ending(spoken, defaultCounts));
      reply.end();
    };
  }

  begin(dialect: Dialect, reply: VendorReply): void {
    reply.stream();
    reply.chunk(wires[dialect].opening() + wires[dialect].delta(spoken));
  }

  async ask(dialect: Dialect, asked: Asked): Promise<Response> {
    const { key, idempotencyKey = "once", stream = false, prompt = "Hello?" } = asked;
    const { at = this.gateway, place, signal } = asked;
    const { path, body } = clients[dialect];
    return await fetch(at.url + path(dialect, stream), {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "idempotency-key": idempotencyKey,
        ...(place !== undefined && { "last-event-id": place }),
      },
      body: JSON.stringify(body({ model: dialect, prompt, outputTokensMax: 1000 }, stream)),
      ...(signal && { signal }),
    });
  }
}

export function isReplay({ headers }: Response): boolean {
  return headers.get("idempotent-replayed") === "true";
}
