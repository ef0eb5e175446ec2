// The vendor of the campaign: a little slow, exact about usage, and it counts what it served.
import { completion, delta, usageChunk, Vendor, type VendorScript } from "../harness/vendor.ts";
import { inputMicrosPerToken, outputMicrosPerToken } from "./load.ts";

export interface Upstream extends Disposable {
  vendor: Vendor;
  /** Price of everything that was asked of the vendor. */
  readonly servedMicros: number;
}

const delayMsMax = 12;

export function startUpstream(): Upstream {
  let servedMicros = 0;
  const script: VendorScript = async (request, reply) => {
    const [input = 0, output = 0] = String(request.body["user"]).split("/").map(Number);
    servedMicros += input * inputMicrosPerToken + output * outputMicrosPerToken;
    const usage = {
      prompt_tokens: input,
      completion_tokens: output,
      total_tokens: input + output,
    };
    await pause();
    if (request.body["stream"] !== true) return reply.json(completion("Yes.", usage));
    reply.stream();
    reply.event(delta({ role: "assistant", content: "A gate" }));
    await pause();
    reply.event(delta({ content: " in a canal." }, "stop"));
    reply.event(usageChunk(usage));
    reply.event("[DONE]");
    reply.end();
  };
  const vendor = new Vendor((request, reply) => {
    // The campaign is long and nothing reads the requests again.
    vendor.requests.length = 0;
    return script(request, reply);
  });
  return {
    vendor,
    get servedMicros() {
      return servedMicros;
    },
    [Symbol.dispose]: () => vendor[Symbol.dispose](),
  };
}

async function pause(): Promise<void> {
  await Bun.sleep(Math.random() * delayMsMax);
}
