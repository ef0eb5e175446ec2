// The load generator, a process of its own: a closed loop over keep-alive connections on raw
// sockets.
import type { Socket } from "bun";
import type { LoadPlan, LoadResult } from "./load-plan.ts";
import { ResponseReader } from "./response-reader.ts";
import { percentile } from "./measure/statistics.ts";

const errorsMax = 1_000;
const graceMs = 15_000;

const plan = JSON.parse(process.argv[2] ?? "") as LoadPlan;
/** One for each of the keys, or the one of the plan's own headers. */
const requests = plan.keys?.map((key) => renderRequest({ Authorization: `Bearer ${key}` })) ?? [
  renderRequest(plan.headers),
];

function renderRequest(headers: LoadPlan["headers"]): Buffer {
  const headLines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(
    `POST ${plan.path} HTTP/1.1\r\nHost: 127.0.0.1:${plan.port}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(plan.body)}\r\n` +
      `${headLines.join("")}\r\n${plan.body}`,
  );
}

interface Connection {
  readonly requestBytes: Buffer;
  readonly reader: ResponseReader;
  sentAt: number;
  firstByteAt: number;
  isWaiting: boolean;
}

const latenciesMs: number[] = [];
const firstBytesMs: number[] = [];
const sockets = new Set<Socket<Connection>>();
const finished = Promise.withResolvers<void>();
let opened = 0;
let started = 0;
let errors = 0;
let firstError = "";
let startedAt = 0;
let endedAt = 0;

function mayStart(): boolean {
  if (plan.holdSeconds !== undefined) return started < plan.connections;
  const isTimeUp = performance.now() - startedAt >= plan.seconds * 1_000;
  return !isTimeUp && started < plan.requestsMax && errors < errorsMax;
}

function send(socket: Socket<Connection>): void {
  if (!mayStart()) return stop(socket);
  const connection = socket.data;
  started++;
  connection.reader.reset();
  connection.isWaiting = true;
  connection.firstByteAt = 0;
  connection.sentAt = performance.now();
  // A request of a few hundred bytes on an idle connection always fits the socket's send buffer.
  const { requestBytes } = connection;
  if (socket.write(requestBytes) !== requestBytes.length) fail(socket, "the request was cut");
}

function stop(socket: Socket<Connection>): void {
  sockets.delete(socket);
  socket.end();
  if (sockets.size === 0) finished.resolve();
}

function fail(socket: Socket<Connection>, reason: string): void {
  errors++;
  firstError ||= reason;
  socket.data.isWaiting = false;
  sockets.delete(socket);
  socket.terminate();
  if (mayStart()) void open();
  else if (sockets.size === 0) finished.resolve();
}

function describeFault(reader: ResponseReader): string | undefined {
  if (reader.isBroken) return "the response was cut or framed wrongly";
  if (reader.status !== 200) return `status ${reader.status}: ${reader.tail.slice(0, 300)}`;
  if (plan.isStream && !reader.tail.includes(plan.streamEnd)) return "the stream has no proper end";
  return reader.bodyBytes === 0 ? "the response was empty" : undefined;
}

function settle(socket: Socket<Connection>): void {
  const { reader, sentAt, firstByteAt } = socket.data;
  const fault = describeFault(reader);
  if (fault !== undefined) return fail(socket, fault);
  endedAt = performance.now();
  latenciesMs.push(endedAt - sentAt);
  firstBytesMs.push(firstByteAt - sentAt);
  socket.data.isWaiting = false;
  if (!reader.closesConnection) return send(socket);
  sockets.delete(socket);
  socket.end();
  void open();
}

async function open(): Promise<void> {
  const reader = new ResponseReader();
  const requestBytes = requests[opened++ % requests.length] ?? Buffer.alloc(0);
  const connection = { requestBytes, reader, sentAt: 0, firstByteAt: 0, isWaiting: false };
  try {
    await Bun.connect<Connection>({
      hostname: "127.0.0.1",
      port: plan.port,
      data: connection,
      socket: {
        open(socket) {
          sockets.add(socket);
          send(socket);
        },
        data(socket, bytes) {
          reader.push(bytes);
          if (connection.firstByteAt === 0 && reader.bodyBytes > 0)
            connection.firstByteAt = performance.now();
          if (reader.isDone || reader.isBroken) settle(socket);
        },
        close(socket) {
          if (!connection.isWaiting) return;
          reader.close();
          settle(socket);
        },
        error() {},
      },
    });
  } catch (error) {
    errors++;
    firstError ||= `cannot connect: ${String(error)}`;
    if (sockets.size === 0) finished.resolve();
  }
}

async function run(): Promise<LoadResult> {
  startedAt = performance.now();
  const connections = Math.min(plan.connections, plan.requestsMax);
  await Promise.all(Array.from({ length: connections }, () => open()));
  const timeMs = (plan.holdSeconds ?? plan.seconds + graceMs / 1_000) * 1_000;
  const expired = Bun.sleep(timeMs).then(() => "expired");
  const outcome = await Promise.race([finished.promise, expired]);
  const waiting = [...sockets].filter((socket) => socket.data.isWaiting);
  if (outcome === "expired" && plan.holdSeconds === undefined) {
    errors += waiting.length;
    firstError ||= "a response did not end in time";
  }
  latenciesMs.sort((left, right) => left - right);
  firstBytesMs.sort((left, right) => left - right);
  return {
    count: latenciesMs.length,
    errors,
    firstError,
    requestsPerSecond: (latenciesMs.length / Math.max(1, endedAt - startedAt)) * 1_000,
    p50Ms: percentile(latenciesMs, 0.5),
    p99Ms: percentile(latenciesMs, 0.99),
    firstByteP50Ms: percentile(firstBytesMs, 0.5),
    openStreams: waiting.filter((socket) => socket.data.firstByteAt > 0).length,
  };
}

console.log(JSON.stringify(await run()));
process.exit(0);
