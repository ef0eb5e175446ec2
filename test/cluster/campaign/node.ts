// One node of the campaign: a gateway with a data folder and a wire of its own, which is killed,
// frozen and cut off, and comes back.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../../harness/books.ts";
import { Folder } from "../../harness/folder.ts";
import { startProcess, type Gateway, type GatewayOptions } from "../../harness/gateway.ts";
import type { Databases } from "./databases.ts";
import type { NodeWire } from "./wire.ts";

interface NodeNeeds {
  databases: Databases;
  wire: NodeWire;
  options: Required<Pick<GatewayOptions, "config" | "environment">> & GatewayOptions;
}

const startMsMax = 120_000;
const startPauseMs = 250;

export class CampaignNode implements AsyncDisposable {
  readonly wire: NodeWire;
  readonly #needs: NodeNeeds;
  readonly #folder = new Folder();
  #gateway: Gateway | null = null;
  #isHindered = false;

  constructor(needs: NodeNeeds) {
    this.#needs = needs;
    this.wire = needs.wire;
  }

  /** Null while it is dead. */
  get gateway(): Gateway | null {
    return this.#gateway;
  }

  /** Up, and neither frozen nor cut off. */
  get isWell(): boolean {
    return this.#gateway !== null && !this.#isHindered;
  }

  /** For whoever wonders why it does not come back. */
  describe(): string {
    if (!this.#gateway) return "down";
    const last = this.#gateway.output.trimEnd().split("\n").slice(-3).join("\n");
    return `${this.#isHindered ? "hindered" : "up"}: ${last}`;
  }

  /** A start that meets a database which is down ends, and whoever keeps it starts it again. */
  async start(): Promise<void> {
    const { options } = this.#needs;
    for (const endsAtMs = performance.now() + startMsMax; ;) {
      try {
        this.#gateway = await startProcess({ ...options, folder: this.#folder.path });
        return;
      } catch (error) {
        if (performance.now() > endsAtMs) throw error;
        await Bun.sleep(startPauseMs);
      }
    }
  }

  async kill(): Promise<void> {
    const gateway = this.#gateway;
    this.#gateway = null;
    await gateway?.kill();
  }

  /** Until others have called it dead. */
  async freeze(): Promise<void> {
    const gateway = this.#gateway;
    if (!gateway) return;
    await this.#hinder(async (id) => {
      gateway.signal("SIGSTOP");
      try {
        await this.#isDead(id);
      } finally {
        gateway.signal("SIGCONT");
      }
    });
  }

  /** Until others have called it dead. */
  async cutOff(): Promise<void> {
    await this.#hinder(async (id) => {
      this.wire.fallSilent();
      try {
        await this.#isDead(id);
      } finally {
        this.wire.cut();
      }
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    this.wire[Symbol.dispose]();
    this.#folder[Symbol.dispose]();
  }

  async #hinder(work: (id: string) => Promise<void>): Promise<void> {
    const id = readFileSync(join(this.#folder.path, "node"), "utf8");
    this.#isHindered = true;
    try {
      await work(id);
    } finally {
      this.#isHindered = false;
    }
  }

  async #isDead(id: string): Promise<void> {
    const sql = `select 1 from node where id = '${id}' and state = 'dead'`;
    await eventually(`the death of ${id}`, async () => {
      const rows = await this.#needs.databases.ask(sql);
      return rows.length > 0 ? true : undefined;
    });
  }
}
