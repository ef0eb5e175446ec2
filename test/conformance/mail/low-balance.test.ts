// A balance that goes below the mark that its owner set is written to their address, once.
import { expect, test } from "bun:test";
import { eventually } from "../../harness/books.ts";
import { startGateway } from "../../harness/gateway.ts";
import { mailConfig, provenPerson } from "../../harness/mail/people.ts";
import { useStand } from "../../harness/nodes/stand.ts";
import { Mailbox } from "../../harness/notices/mailbox.ts";

interface Kept {
  text: string;
  ended_at: number | null;
}

const mailbox = useStand(() => Mailbox.open());
const gateway = useStand(() =>
  startGateway({ config: mailConfig(mailbox, { notices: { check_seconds: 1 } }) }),
);

test("a low balance is written to the account's own address, in its language, and again after a credit", async () => {
  const { at, id, email, username } = await provenPerson(gateway, mailbox);
  const credit = (micros: number) =>
    gateway.control("POST", `/api/user/${id}/credit`, { micros, reason: "test" });
  await credit(2_000_000);
  await at.ask("PATCH", "/api/user/self", { low_balance_micros: 1_000_000, language: "zh" });
  await credit(-1_500_000);
  const { headers, text, html } = await mailbox.to(email, 2);
  expect(headers.get("subject")).toBe("Acme AI 余额还剩 $0.50");
  expect(text).toContain(username);
  expect(html).toContain('lang="zh-CN"');
  await credit(1_000_000);
  await eventually("the end of the notice", async () => {
    const { items } = await gateway.control<{ items: Kept[] }>("GET", "/api/notice");
    return items.some(({ text: told, ended_at: at }) => told.includes(username) && at !== null)
      ? true
      : undefined;
  });
  await credit(-1_400_000);
  expect((await mailbox.to(email, 3)).text).toContain("$0.10");
  expect(mailbox.countTo(email)).toBe(3);
});
