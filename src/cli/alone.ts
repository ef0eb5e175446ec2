// A gateway of a command's own, for when none is running on the data folder.
import type { DeclaredKeyMade } from "../admin/declared.ts";
import { startApp } from "../app.ts";
import type { Machine } from "../app/machine.ts";
import { urlOf } from "../app/port.ts";
import { createSettingsSource } from "../config/page/settings-source.ts";
import { createLog } from "../core/log.ts";
import type { WithServer } from "./gateway-place.ts";
import type { Terminal } from "./terminal.ts";

interface AloneNeeds extends Pick<Terminal, "write" | "writeError"> {
  machine: Machine;
}

/** It has a port of its own, for as long as the command takes. */
export function createWithServer({ machine, write, writeError }: AloneNeeds): WithServer {
  const { clock, timers } = machine;
  const keyMade = ({ name, key }: DeclaredKeyMade) => write(`API key ${name}: ${key}\n`);
  return async (config, run, source) => {
    const log = createLog({ level: "error", clock, timers, write: writeError });
    // Links that the command makes are for the gateway that will run on this folder.
    const { host, port, publicUrl } = config.server;
    const later = publicUrl ?? (port === 0 ? null : urlOf({ host, number: port }));
    const server = { ...config.server, host: "127.0.0.1", port: 0, publicUrl: later };
    const settings = createSettingsSource(source);
    const alone = { ...config, server, sandbox: "off" } as const;
    const app = await startApp(alone, { log, machine, keyMade, settings });
    const { password, key } = app.generated;
    // A first start behind a command is still the one time that these are shown.
    if (password !== null) writeError(`Root password: ${password}\n`);
    if (key !== null) writeError(`API key: ${key}\n`);
    await app.shown();
    try {
      await run({ url: app.url, token: app.localToken });
    } finally {
      await app.close();
    }
  };
}
