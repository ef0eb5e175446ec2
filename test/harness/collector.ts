// A collector of OTLP/HTTP with JSON, which keeps what it gets.
import { eventually } from "./books.ts";

export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  status: { code?: number };
  attributes: Record<string, string | number | boolean>;
}

interface WireAttribute {
  key: string;
  value: {
    stringValue?: string;
    intValue?: string;
    doubleValue?: number;
    boolValue?: boolean;
  };
}

interface WireBody {
  resourceSpans?: {
    resource: { attributes: WireAttribute[] };
    scopeSpans: {
      spans: (Omit<CollectedSpan, "attributes"> & { attributes: WireAttribute[] })[];
    }[];
  }[];
}

export class Collector implements Disposable {
  readonly spans: CollectedSpan[] = [];
  readonly resources: Record<string, unknown>[] = [];
  /** Each call as it came. */
  readonly calls: { path: string; headers: Headers; text: string }[] = [];
  status = 200;
  readonly #server;

  constructor() {
    this.#server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: async (request) => {
        const text = await request.text();
        this.calls.push({ path: new URL(request.url).pathname, headers: request.headers, text });
        if (this.status === 200) this.#take(JSON.parse(text) as WireBody);
        return Response.json({}, { status: this.status });
      },
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`;
  }

  /** The spans of a request, once they have come: its own first. */
  async spansOf(requestId: string): Promise<CollectedSpan[]> {
    return await eventually(`the spans of ${requestId}`, async () => {
      const root = this.spans.find(
        ({ attributes }) => attributes["sluice.request.id"] === requestId,
      );
      if (!root) return undefined;
      return [root, ...this.spans.filter(({ parentSpanId }) => parentSpanId === root.spanId)];
    });
  }

  #take({ resourceSpans = [] }: WireBody): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      this.resources.push(read(resource.attributes));
      for (const span of scopeSpans.flatMap(({ spans }) => spans)) {
        this.spans.push({ ...span, attributes: read(span.attributes) });
      }
    }
  }

  [Symbol.dispose](): void {
    void this.#server.stop(true);
  }
}

function read(attributes: readonly WireAttribute[]): CollectedSpan["attributes"] {
  return Object.fromEntries(
    attributes.map(({ key, value }) => {
      const { stringValue, intValue, doubleValue, boolValue } = value;
      const number = intValue === undefined ? doubleValue : Number(intValue);
      return [key, stringValue ?? number ?? boolValue ?? ""];
    }),
  );
}
