// A maker of videos on Ark's wire that says of each job exactly what a test wants it to say.
import { isObject, type JsonObject } from "../../src/core/json.ts";
import { writeMp4 } from "../../sandbox/mp4/index.ts";

export interface ArkRequest {
  method: string;
  path: string;
  key: string;
  /** Null when there is none. */
  body: JsonObject | null;
  /** The job that is asked about, or that was made. */
  id: string | null;
}

const tasksPath = "/api/v3/contents/generations/tasks";
export const shortFilm = writeMp4({ width: 64, height: 64, seconds: 3 });

export class ScriptedArk implements AsyncDisposable {
  /** Oldest first. */
  readonly requests: ArkRequest[] = [];
  /** Answer about a job; by default that it is done. */
  show: (id: string) => JsonObject | Response = () => this.done();
  /** Answer to a start, given the id of the job; by default with that. */
  start: (id: string) => Response | Promise<Response> = (id) => Response.json({ id });
  /** Jobs in a list. */
  list: () => JsonObject[] | Promise<JsonObject[]> = () => [];
  /** Answer with the file behind the link. */
  file: () => Response = () => new Response(shortFilm);
  readonly #server;
  #count = 0;

  constructor() {
    this.#server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      development: false,
      // A start may be left without an answer for as long as a test likes.
      idleTimeout: 0,
      fetch: (request) => this.#answer(request),
    });
  }

  get url(): string {
    return this.#server.url.origin;
  }

  /** A job that has ended well. */
  done(fields: JsonObject = {}): JsonObject {
    const content = { video_url: `${this.url}/film.mp4` };
    return { status: "succeeded", content, duration: 5, ...fields };
  }

  channel(fields: Record<string, unknown> = {}): Record<string, unknown> {
    return {
      name: `ark-${this.#server.port}`,
      type: "ark",
      base_url: this.url,
      key: "sk-ark-one",
      models: ["videoC-2-0-260128", "manxue-2.0"],
      allow_private: true,
      ...fields,
    };
  }

  starts(): ArkRequest[] {
    return this.requests.filter(({ method }) => method === "POST");
  }

  /** Closes its door: every link to it is dead from now on. */
  async close(): Promise<void> {
    await this.#server.stop(true);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname: path } = new URL(request.url);
    const { method, headers } = request;
    const key = headers.get("authorization")?.replace("Bearer ", "") ?? "";
    if (!path.startsWith(tasksPath)) {
      this.requests.push({ method, path, key, body: null, id: null });
      return this.file();
    }
    if (method === "POST") {
      const id = `cgt-${++this.#count}`;
      const body: unknown = await request.json();
      this.requests.push({ method, path, key, body: isObject(body) ? body : null, id });
      return await this.start(id);
    }
    const id = path.slice(tasksPath.length + 1);
    this.requests.push({ method, path, key, body: null, id });
    if (id !== "") return this.#show(id);
    const items = await this.list();
    return Response.json({ total: items.length, items });
  }
  #show(id: string): Response {
    const shown = this.show(id);
    return shown instanceof Response ? shown : Response.json({ id, error: null, ...shown });
  }
}
