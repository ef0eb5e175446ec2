// A part of the black-box tests once more, with two nodes on PostgreSQL behind a balancer that
// alternates. All of them run so by `npm run test:cluster`.
import { expect, test } from "bun:test";

const chosen = ["quota-settlement.test.ts", "accounts/live.test.ts", "video/money.test.ts"].map(
  (name) => `./test/conformance/${name}`,
);

const partMsMax = 600_000;

test(
  "money, records and tasks are with two nodes on PostgreSQL as they are with files",
  async () => {
    const child = Bun.spawn(
      [process.execPath, "--no-env-file", "test", "--timeout", "60000", ...chosen],
      {
        env: { ...process.env, SLUICE_TEST_ENGINE: "postgres" },
        stdout: "pipe",
        stderr: "pipe",
      },
    );
    const [code, output] = await Promise.all([child.exited, child.stderr.text()]);
    expect(code === 0 ? "" : output).toBe("");
  },
  partMsMax,
);
