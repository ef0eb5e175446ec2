// The sandbox: vendors of our own behind real HTTP on a loopback port, for the first run, for
// tests and for benchmarks. Each vendor answers below its own prefix.
import type { Clock, Timers } from "../src/core/clock.ts";
import { createAnthropic } from "./anthropic/index.ts";
import { createArk } from "./ark/index.ts";
import { createAzure } from "./azure/index.ts";
import { createBedrock } from "./bedrock/index.ts";
import { CallLog, type OpenCall, type SandboxCalls } from "./call-log.ts";
import { deliver } from "./deliver.ts";
import { createGateway } from "./gateway/index.ts";
import { createGoogle } from "./google/index.ts";
import { JobBook } from "./jobs.ts";
import { createKling } from "./kling/index.ts";
import { Line } from "./line.ts";
import { createMidjourney } from "./midjourney/index.ts";
import { createMinimax } from "./minimax/index.ts";
import { createOpenai } from "./openai/index.ts";
import { createVertex } from "./vertex/index.ts";
import type { Vendor, VendorWorld } from "./vendor.ts";

export interface SandboxOptions {
  /** 0 takes a free one. */
  port: number;
  host?: string;
  clock: Clock;
  timers: Timers;
  /** Between two events of a stream; 0 sends them as fast as they are read. */
  paceMs?: number;
  /** Length of an ordinary answer. */
  words?: number;
}

export interface Sandbox extends AsyncDisposable {
  url: string;
  port: number;
  calls(): SandboxCalls;
  close(): Promise<void>;
}

const defaultPaceMs = 20;
const defaultWords = 40;
const idleTimeoutSeconds = 255;
const callsPath = "/sandbox/calls";
const jobsPath = "/sandbox/jobs";

function createVendors(world: VendorWorld): Vendor[] {
  return [
    createOpenai(world),
    createAnthropic(world),
    createGoogle(world),
    createArk(world),
    createMinimax(world),
    createKling(world),
    createMidjourney(world),
    createGateway(world),
    createVertex(world),
    createAzure(world),
    createBedrock(world),
  ];
}

/** The vendors without a port: what answers a request, which may be held open without an end. */
export type SandboxVendors = ReturnType<typeof openVendors>;

export function openVendors(options: Omit<SandboxOptions, "port" | "host">) {
  const { clock, timers, paceMs = defaultPaceMs, words = defaultWords } = options;
  const log = new CallLog();
  const jobs = new JobBook(clock);
  const vendors = createVendors({ clock, words, jobs });
  return {
    log,
    answer(request: Request, holdOpen: () => void): Response | Promise<Response> {
      const { pathname: path, searchParams: query } = urlOf(request);
      if (path === callsPath) return Response.json(log.snapshot());
      if (path === jobsPath) return Response.json(jobs.lines());
      const call = log.begin(path, request.headers.get("x-request-id"));
      return serve(request, { path, query, vendors, call, timers, paceMs, holdOpen });
    },
  };
}

export function startSandbox(options: SandboxOptions): Sandbox {
  const { log, answer } = openVendors(options);
  const server = Bun.serve({
    port: options.port,
    hostname: options.host ?? "127.0.0.1",
    development: false,
    idleTimeout: idleTimeoutSeconds,
    fetch: (request, self) => answer(request, () => self.timeout(request, 0)),
  });
  const close = (): Promise<void> => server.stop(true);
  return {
    url: server.url.origin,
    port: server.port ?? options.port,
    calls: () => log.snapshot(),
    close,
    [Symbol.asyncDispose]: close,
  };
}

interface Visit {
  path: string;
  query: URLSearchParams;
  vendors: readonly Vendor[];
  call: OpenCall;
  timers: Timers;
  paceMs: number;
  holdOpen(): void;
}

async function serve(request: Request, visit: Visit): Promise<Response> {
  const { path, query, call, paceMs, holdOpen } = visit;
  const line = new Line(visit.timers);
  request.signal.addEventListener("abort", () => {
    call.end("aborted");
    line.drop();
  });
  const vendor = visit.vendors.find(({ prefix }) => path.startsWith(`${prefix}/`));
  if (!vendor) return refuse(call, 404, `The sandbox has nothing at ${path}.`);
  try {
    const answer = vendor.answer({
      method: request.method,
      path: path.slice(vendor.prefix.length),
      query,
      headers: request.headers,
      body: await request.bytes(),
      note: (seen) => call.note(seen),
    });
    return await deliver(answer, { call, line, paceMs, holdOpen });
  } catch (error) {
    // A client who leaves while sending its body is no failure of the sandbox.
    if (!line.isOpen) return new Response(null, { status: 499 });
    return refuse(call, 500, `The sandbox failed: ${String(error)}`);
  }
}

function refuse(call: OpenCall, status: number, message: string): Response {
  const bytes = new TextEncoder().encode(JSON.stringify({ error: { message } }));
  call.begun(status);
  call.sent(bytes.length);
  call.end("refused");
  return new Response(bytes, { status, headers: { "content-type": "application/json" } });
}

/** A request without a usable Host header has a relative address. */
function urlOf(request: Request): URL {
  return new URL(request.url, "http://sandbox.invalid");
}
