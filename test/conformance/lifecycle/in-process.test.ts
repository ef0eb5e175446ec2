// Gateways within the test's own process: a part of the tests has a hundred of them, one after
// another, so whatever one leaves behind runs a hundred times over.
import { expect, test } from "bun:test";
import { Folder } from "../../harness/folder.ts";
import { startHere } from "../../harness/nodes/node-here.ts";
import { MovableTime } from "../../harness/time/movable-time.ts";

const endings = ["drop", "SIGTERM"] as const;

test.each(endings)(
  "a gateway in the test's process leaves nothing that recurs (%s)",
  async (how) => {
    using folder = new Folder();
    const time = new MovableTime();
    const environment = { HOST: "127.0.0.1", PORT: "0", SLUICE_DATA: folder.path };
    const node = await startHere(environment, { text: "" }, { time });
    expect(time.recurringCount).toBeGreaterThan(0);
    if (how === "drop") await node.drop();
    else node.signal(how);
    await node.exited;
    expect(time.recurringCount).toBe(0);
  },
);
