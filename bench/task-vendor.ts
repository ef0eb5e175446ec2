// A vendor of videos that never end, on the wire of /v1/videos. It answers at once, keeps the time
// between two polls of each job, and counts how many polls are open at the same moment.
import type { Seen, Watch } from "./task-watch.ts";
import { percentile } from "./measure/statistics.ts";

/** Moment of each job's last answer. */
const answeredAtMs = new Map<string, number>();
let waitsMs: number[] = [];
let polls = 0;
let open = 0;
let openMost = 0;
let watch: Watch = { paceMs: 0, holdMs: 0 };

function create(): Response {
  const id = `video_${answeredAtMs.size + 1}`;
  answeredAtMs.set(id, performance.now());
  return Response.json({ id, object: "video", status: "queued", progress: 0 });
}

async function poll(id: string): Promise<Response> {
  const beforeMs = answeredAtMs.get(id);
  if (beforeMs === undefined) return Response.json({}, { status: 404 });
  waitsMs.push(performance.now() - beforeMs);
  polls++;
  openMost = Math.max(openMost, ++open);
  if (watch.holdMs > 0) await Bun.sleep(watch.holdMs);
  open--;
  answeredAtMs.set(id, performance.now());
  return Response.json({ id, object: "video", status: "in_progress", progress: 1 });
}

function begin(next: Watch): Response {
  watch = next;
  waitsMs = [];
  polls = 0;
  openMost = open;
  return Response.json({});
}

/** Jobs that wait longer than the pace says and have not been asked about yet count as well. */
function see(): Seen {
  const nowMs = performance.now();
  const waiting = [...answeredAtMs.values()].map((atMs) => nowMs - atMs);
  const ascending = [...waitsMs, ...waiting.filter((ms) => ms > watch.paceMs)].toSorted(
    (left, right) => left - right,
  );
  return {
    jobs: answeredAtMs.size,
    polls,
    openMost,
    waitP50Ms: percentile(ascending, 0.5),
    waitP99Ms: percentile(ascending, 0.99),
    waitMostMs: ascending.at(-1) ?? 0,
  };
}

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  routes: {
    "/v1/videos": { POST: create },
    "/v1/videos/:id": { GET: (request) => poll(request.params.id) },
    "/bench/watch": {
      POST: async (request) => begin((await request.json()) as Watch),
      GET: () => Response.json(see()),
    },
  },
});

console.log(JSON.stringify({ port: server.port }));
