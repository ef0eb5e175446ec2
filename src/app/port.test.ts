import { expect, test } from "bun:test";
import { defaultFile } from "../config/file.ts";
import { serverSection } from "../config/sections.ts";
import { takePort } from "./port.ts";

const server = { ...serverSection.read(defaultFile().server), host: "127.0.0.1", port: 0 };

test("until the gateway is there, whoever comes is told that it starts", async () => {
  const port = await takePort(server);
  try {
    const response = await fetch(`http://${port.host}:${port.number}/v1/models`);
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("1");
    expect(await response.json()).toMatchObject({ error: { code: "overloaded" } });
    const again = takePort({ ...server, port: port.number });
    expect(((await again.catch((error: Error) => error)) as Error).message).toMatch(
      /^Port \d+ of 127\.0\.0\.1 is already taken by another Sluice\. Stop that one, or choose/,
    );
  } finally {
    await port.stop(true);
  }
});
