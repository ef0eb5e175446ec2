// An HTTP proxy as networks have them: it opens tunnels, passes plain requests on, may want
// credentials, and remembers what it was asked for.
import { createServer, request as askHttp, type IncomingMessage, type Server } from "node:http";
import { connect, type Socket } from "node:net";

export interface ProxyVisit {
  method: string;
  /** `host:port` of a tunnel, the whole URL of a plain request. */
  target: string;
  authorization: string | null;
}

export class HttpProxy implements AsyncDisposable {
  readonly visits: ProxyVisit[] = [];
  /** Hosts that only the proxy can reach, and the origins that they are. */
  readonly hosts = new Map<string, string>();
  readonly #server: Server;
  readonly #login: string | null;
  readonly #sockets = new Set<Socket>();

  /** `login` is `user:password`; null lets everyone through. */
  private constructor(login: string | null) {
    this.#login = login;
    this.#server = createServer((incoming, reply) => {
      if (!this.#admits(incoming)) {
        reply.writeHead(407).end();
        return;
      }
      const { method, url = "" } = incoming;
      const headers = Object.fromEntries(
        Object.entries(incoming.headers).filter(([name]) => !name.startsWith("proxy-")),
      );
      const onward = askHttp(this.#locate(url), { method, headers }, (answer) => {
        reply.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(reply);
      });
      onward.on("error", () => reply.destroy());
      reply.on("close", () => onward.destroy());
      incoming.pipe(onward);
    });
    this.#server.on("connection", (socket: Socket) => this.#sockets.add(socket));
    this.#server.on("connect", (incoming: IncomingMessage, socket: Socket) => {
      if (this.#admits(incoming)) tunnel(incoming.url ?? "", socket);
      else socket.end("HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n");
    });
  }

  static async listening(login: string | null = null): Promise<HttpProxy> {
    const proxy = new HttpProxy(login);
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get host(): string {
    const address = this.#server.address();
    if (typeof address !== "object" || !address) throw new Error("it does not listen");
    return `127.0.0.1:${address.port}`;
  }

  /** With the right credentials, or with those that a test wants. */
  url(login: string | null = this.#login): string {
    return login === null ? `http://${this.host}` : `http://${login}@${this.host}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #locate(url: string): URL {
    const target = new URL(url);
    const origin = this.hosts.get(target.host);
    return origin === undefined ? target : new URL(target.pathname + target.search, origin);
  }

  #admits({ method = "", url = "", headers }: IncomingMessage): boolean {
    const authorization = headers["proxy-authorization"] ?? null;
    this.visits.push({ method, target: url, authorization });
    const wanted = this.#login && `Basic ${Buffer.from(this.#login).toString("base64")}`;
    return wanted === null || authorization === wanted;
  }
}

function tunnel(target: string, socket: Socket): void {
  const [, host = "", port = ""] = /^(.*):(\d+)$/.exec(target) ?? [];
  const onward = connect(Number(port), host, () => {
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    onward.pipe(socket);
    socket.pipe(onward);
  });
  onward.on("error", () => socket.end("HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n"));
  socket.on("error", () => onward.destroy());
  socket.on("close", () => onward.destroy());
  onward.on("close", () => socket.destroy());
}
