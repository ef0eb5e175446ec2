// The address that a request came from. Asking the platform takes a system call, which a request
// need not wait for: it is made at the end of the turn in which the request came, when its upstream
// is at work already. Before that nothing can become of its connection, and later it may be gone.
import type { Server } from "bun";

interface ClientAddressesNeeds {
  /** Whether a proxy in front of us says who its clients are. */
  trustsProxy: boolean;
  /** Runs at the end of this turn of the event loop. */
  soon(run: () => void): void;
}

type Platform = Pick<Server<undefined>, "requestIP">;

export class ClientAddresses {
  readonly #needs: ClientAddressesNeeds;
  #unknown: ClientAddress[] = [];

  constructor(needs: ClientAddressesNeeds) {
    this.#needs = needs;
  }

  of(request: Request, server: Platform): ClientAddress {
    const address = new ClientAddress(request, server, this.#needs.trustsProxy);
    if (this.#unknown.push(address) === 1) this.#needs.soon(() => this.#lookUp());
    return address;
  }

  #lookUp(): void {
    const unknown = this.#unknown;
    this.#unknown = [];
    for (const address of unknown) void address.ip;
  }
}

class ClientAddress {
  readonly #request: Request;
  readonly #server: Platform;
  readonly #trustsProxy: boolean;
  #ip: string | null = null;

  constructor(request: Request, server: Platform, trustsProxy: boolean) {
    this.#request = request;
    this.#server = server;
    this.#trustsProxy = trustsProxy;
  }

  get ip(): string {
    return (this.#ip ??= this.#forwarded || (this.#server.requestIP(this.#request)?.address ?? ""));
  }

  /** The last one: what stands before it came from the client. */
  get #forwarded(): string | undefined {
    if (!this.#trustsProxy) return undefined;
    return this.#request.headers.get("x-forwarded-for")?.split(",").at(-1)?.trim();
  }
}
