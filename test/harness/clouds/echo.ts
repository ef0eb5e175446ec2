// A vendor and a machine that say back whatever they are sent. The machine grants tokens of every
// cloud, each a text of its own, and remembers what it granted.
import { completion, delta, Vendor, type VendorReply, type VendorRequest } from "../vendor.ts";

type Mode =
  | "good"
  /** Tells all that it was sent, as a fault of the request. */
  | "refused"
  /** The same as a fault of its own. */
  | "broken"
  /** The same in the midst of a stream. */
  | "midst"
  /** The same as a lack of rights. */
  | "rights"
  /** The same as a proof that it does not take. */
  | "unproven"
  /** The machine grants nothing, and tells all that it was sent. */
  | "ungranted";

/** The status of a mode that refuses, and the name that Amazon gives to it. */
const refusals: Readonly<Partial<Record<Mode, readonly [status: number, name: string]>>> = {
  refused: [400, "ValidationException"],
  broken: [500, "InternalServerException"],
  rights: [403, "AccessDeniedException"],
  unproven: [401, "UnrecognizedClientException"],
};

const secretFields = ["client_assertion", "assertion", "subject_token", "WebIdentityToken"];

export class Echo implements Disposable {
  mode: Mode = "good";
  /** Everything that was granted, and each proof for which it was asked. */
  readonly secrets: string[] = [];
  readonly #make: () => string;
  readonly #vendor = new Vendor((request, reply) => this.#answer(request, reply));
  readonly #machine = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request) => this.#grant(request),
  });

  constructor(make: () => string) {
    this.#make = make;
  }

  get vendor(): string {
    return this.#vendor.url;
  }

  get machine(): string {
    return `http://127.0.0.1:${this.#machine.port}`;
  }

  [Symbol.dispose](): void {
    this.#vendor[Symbol.dispose]();
    void this.#machine.stop(true);
  }

  #answer({ path, headers, body }: VendorRequest, reply: VendorReply): void {
    const words = lineOf(Object.entries(headers));
    const error = { message: words, param: words, code: words, type: "invalid_request_error" };
    const { mode } = this;
    const refusal = refusals[mode];
    if (refusal) {
      const [status, name] = refusal;
      return reply.json({ error }, status, { "x-amzn-errortype": name });
    }
    if (/models/.test(path)) return reply.json({ data: [] });
    if (body["stream"] !== true) return reply.json(completion("Yes."));
    reply.stream();
    reply.event(delta({ content: "Yes." }));
    if (mode === "midst") reply.event({ error });
    else reply.event(delta({}, "stop"));
    reply.event("[DONE]");
    reply.end();
  }

  async #grant(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const body = await request.text();
    const form = new URLSearchParams(body);
    for (const name of secretFields) this.secrets.push(...form.getAll(name));
    if (pathname === "/latest/api/token") return new Response(this.#secret());
    if (pathname.endsWith("/security-credentials/")) return new Response("role");
    if (pathname === "/subject") return new Response(this.#secret());
    if (this.mode === "ungranted") {
      const words = lineOf([...request.headers, ["body", body], ...form]);
      return Response.json({ error: "invalid_grant", error_description: words }, { status: 400 });
    }
    return Response.json(this.#granted(pathname));
  }

  #granted(path: string): object {
    const end = new Date(Date.now() + 3_600_000).toISOString();
    if (path === "/iam") return { accessToken: this.#secret(), expireTime: end };
    if (path.startsWith("/token")) return { access_token: this.#secret(), expires_in: 3600 };
    const pair = { AccessKeyId: "ASIA1", SecretAccessKey: this.#secret(), Expiration: end };
    if (!path.startsWith("/sts")) return { Code: "Success", ...pair, Token: this.#secret() };
    return { Credentials: { ...pair, SessionToken: this.#secret() } };
  }

  #secret(): string {
    const secret = this.#make();
    this.secrets.push(secret);
    return secret;
  }
}

function lineOf(fields: Iterable<readonly [string, string]>): string {
  return [...fields].map(([name, value]) => `${name}: ${value}`).join(", ");
}
