// The end of a gateway: first nothing new is taken, then what runs may end, then all is let go of.
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { sleep } from "../core/clock.ts";
import type { Base } from "./base.ts";
import type { Control } from "./control.ts";
import { ownerFile } from "./folder/owner.ts";
import type { Http } from "./http.ts";
import { drain } from "./listen.ts";
import type { Doors } from "./port.ts";
import { shuttingDown } from "./readiness.ts";

interface CloseNeeds {
  base: Base;
  control: Control;
  http: Http;
  doors: Doors;
}

export async function closeApp({ server, dataFolder }: Config, needs: CloseNeeds): Promise<void> {
  const { base, control, http, doors } = needs;
  const { tasks, images, assets, text, readOn } = http.flows;
  const { meter } = text;
  const { streams, shedder, heap } = http.watch;
  await leave(base, control, server.leaveMs);
  base.obstacles.add(shuttingDown);
  tasks.events.close();
  control.live.close();
  // Answers that still wait to be counted are estimated instead, and charged before the end.
  const { drainMs } = server;
  const { timers } = base.machine;
  http.sockets.leave();
  const draining = drain(doors, streams, { drainMs, timers }, () => meter.close());
  // Nobody waits for those who are read on.
  await Promise.all([draining, images.close(drainMs), readOn.close(), text.repeats?.close()]);
  meter.close();
  await Promise.allSettled(text.settling);
  await tasks.close();
  await assets.close();
  await control.ledger.settled();
  await control.keyUse.write();
  await control.bookkeeping.close();
  http.backups.close();
  http.imports.close();
  await http.secrets.close();
  await http.notices.close();
  await control.mailDesk?.close();
  await http.telemetry.close();
  rmSync(join(dataFolder, ownerFile), { force: true });
  await base.practice.close();
  await base.shared.close();
  shedder.close();
  heap.close();
  base.deadlines.close();
  await base.store.close();
  timers.close();
  base.log.flush();
}

/** Tell every prober at once that this node goes; requests are taken for a while yet. */
async function leave(base: Base, { bookkeeping }: Control, leaveMs: number): Promise<void> {
  base.isLeaving = true;
  bookkeeping.leave();
  if (leaveMs > 0) await sleep(base.machine.timers, leaveMs);
}
