import { expect, test } from "bun:test";
import type { AccountId } from "../../core/ids.ts";
import { systemRandom } from "../../core/random.ts";
import { createSeal } from "../../core/seal.ts";
import { Tickets, ticketTtlMs } from "./tickets.ts";

function openTickets() {
  const time = { nowMs: 1_800_000_000_000 };
  const clock = { nowMs: () => time.nowMs, monotonicMs: () => time.nowMs };
  const seal = createSeal("the secret of a test", systemRandom);
  return { time, seal, tickets: new Tickets({ clock, seal, random: systemRandom }) };
}

const accountId = "acc_1" as AccountId;

test("a ticket opens for who holds it, for what it is, and says what was put in", () => {
  const { tickets } = openTickets();
  const { ticket, text } = tickets.make("second", "mark", { accountId, proof: "p" });
  expect(tickets.open(text, ["second"], "mark")).toEqual(ticket);
  expect(ticket).toMatchObject({ kind: "second", accountId, proof: "p" });
  expect(text).not.toContain("acc_1");
  expect(tickets.make("second", "mark").ticket.challenge).not.toBe(ticket.challenge);
});

test("another browser, another purpose and another time open nothing", () => {
  const { time, tickets } = openTickets();
  const { text } = tickets.make("second", "mark", { accountId });
  expect(tickets.open(text, ["second"], "other")).toBeNull();
  expect(tickets.open(text, ["second"], null)).toBeNull();
  expect(tickets.open(text, ["enrol", "step-up", "passkey"], "mark")).toBeNull();
  time.nowMs += ticketTtlMs - 1;
  expect(tickets.open(text, ["second"], "mark")).not.toBeNull();
  time.nowMs += 1;
  expect(tickets.open(text, ["second"], "mark")).toBeNull();
});

test("what was not sealed here as a ticket is none", () => {
  const { seal, tickets } = openTickets();
  const { text, ticket } = tickets.make("second", "mark");
  const texts = [
    "",
    "v1.",
    text.slice(0, -2),
    `${text}A`,
    seal.close(JSON.stringify(ticket), "something else"),
    seal.close("[]", "sign-in ticket"),
    seal.close("not json", "sign-in ticket"),
    "x".repeat(100_000),
  ];
  for (const one of texts) expect(tickets.open(one, ["second"], "mark")).toBeNull();
});
