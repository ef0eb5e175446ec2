// Thirty faults of thirty kinds, in all rooms: one text of a source replaced by another, and the
// tests that must find it.

export interface PlantedFault {
  kind: string;
  file: string;
  from: string;
  to: string;
  /** Files of tests; one that fails is enough. */
  tests: readonly string[];
}

const conformance = "test/conformance";

export const faults: readonly PlantedFault[] = [
  {
    kind: "an amount is rounded down",
    file: "src/core/money.ts",
    from: "return Math.ceil(total / picosPerMicro) as Micros",
    to: "return Math.floor(total / picosPerMicro) as Micros",
    tests: ["src/core/money.test.ts", `${conformance}/quota-settlement.test.ts`],
  },
  {
    kind: "cached input is charged as input",
    file: "src/quota/price.ts",
    from: "cacheRead: at(listed.cacheReadMicrosPerMillion, input),",
    to: "cacheRead: input,",
    tests: ["src/quota/price.test.ts"],
  },
  {
    kind: "a vendor's count is believed whatever it is",
    file: "src/quota/plausible.ts",
    from: "if (isInputBelieved && isOutputBelieved && searches <= searchesMax) return usage;",
    to: "if (isInputBelieved || !isInputBelieved) return usage;",
    tests: [`${conformance}/text/implausible.test.ts`],
  },
  {
    kind: "a task that failed is charged",
    file: "src/tasks/book.ts",
    from: "void ledger.void(reservation, error.code);\n      return uncharged;",
    to: "void ledger.post(reservation, reservation.micros, []);\n      return uncharged;",
    tests: [`${conformance}/video/money.test.ts`],
  },
  {
    kind: "a key that has expired is taken",
    file: "src/identity/authenticate.ts",
    from: "caller.expiresAtMs <= this.#clock.nowMs()",
    to: "caller.expiresAtMs <= 0",
    tests: [`${conformance}/refusal-words.test.ts`, `${conformance}/control.test.ts`],
  },
  {
    kind: "a key that is disabled is taken",
    file: "src/identity/authenticate.ts",
    from: 'if (key.status !== "enabled") return new RefusedCredential("disabled", key.id);',
    to: "",
    tests: [`${conformance}/refusal-words.test.ts`, `${conformance}/control.test.ts`],
  },
  {
    kind: "a key is taken from any address",
    file: "src/identity/authenticate.ts",
    from: "!isListedAddress(from.ip, caller.allowIps)",
    to: 'from.ip === ""',
    tests: ["test/hazards/keys.test.ts"],
  },
  {
    kind: "everyone may do what admins may",
    file: "src/admin/authority.ts",
    from: "if (may.has(permission)) return;",
    to: "if (may.size >= 0) return;",
    tests: [`${conformance}/control-policies.test.ts`],
  },
  {
    kind: "one request too many is let in",
    file: "src/limits/refusal.ts",
    from: "state.inFlight >= concurrency",
    to: "state.inFlight > concurrency",
    tests: [`${conformance}/limits.test.ts`],
  },
  {
    kind: "a place is never given back",
    file: "src/limits/limiter.ts",
    from: "state.inFlight -= 1;",
    to: "state.inFlight -= 0;",
    tests: [`${conformance}/limits.test.ts`],
  },
  {
    kind: "priorities of channels are not looked at",
    file: "src/distribution/choose.ts",
    from: "channel.settings.priority === priority",
    to: "channel.settings.priority !== Number(priority) + 0.5",
    tests: [`${conformance}/distribution.test.ts`],
  },
  {
    kind: "a breaker never opens",
    file: "src/distribution/health.ts",
    from: "this.#ejections++;",
    to: "",
    tests: [`${conformance}/distribution-blame.test.ts`],
  },
  {
    kind: "retries are not counted",
    file: "src/distribution/retry-budget.ts",
    from: "share.credit--;",
    to: "share.credit -= 0.5;",
    tests: ["src/distribution/retry-budget.test.ts"],
  },
  {
    kind: "a request that a vendor refuses is sent to the next one",
    file: "src/gateway/vendor-fault.ts",
    from: 'return { kind: "refused", error: new GatewayError("upstream_refused", details) };',
    to: 'return failed(new GatewayError("upstream_refused", details));',
    tests: [`${conformance}/distribution-failover.test.ts`],
  },
  {
    kind: "credentials are left in texts",
    file: "src/core/scrub.ts",
    from: "if (!mayHoldSecret(text)) return text;",
    to: 'if (text !== "") return text;',
    tests: ["src/core/scrub.test.ts", "test/hazards/secrets.test.ts"],
  },
  {
    kind: "addresses of the own network are public",
    file: "src/core/url-guard.ts",
    from: 'parsed.range() !== "unicast"',
    to: 'parsed.range() === ""',
    tests: ["src/core/url-guard.test.ts"],
  },
  {
    kind: "a code of an app is taken twice",
    file: "src/identity/access/totp.ts",
    from: "if (isSame && step > lastStep) match ??= step;",
    to: "if (isSame && step > lastStep - 9) match ??= step;",
    tests: ["src/identity/access/totp.test.ts"],
  },
  {
    kind: "a link to a file never expires",
    file: "src/media/links.ts",
    from: "return left > 0 ? left : null;",
    to: "return Math.max(1, left);",
    tests: [`${conformance}/video/media-links.test.ts`],
  },
  {
    kind: "a callback's signature leaves out its time",
    file: "src/tasks/webhooks/signature.ts",
    from: "`${id}.${atSeconds}.${body}`",
    to: "`${id}.${body}`",
    tests: [`${conformance}/video/callbacks.test.ts`],
  },
  {
    kind: "a create that is sent again makes another task",
    file: "src/gateway/task/idempotency.ts",
    from: "if (row && !isUndone(row)) return await this.#repeat(row, create);",
    to: "",
    tests: [`${conformance}/video/idempotency.test.ts`],
  },
  {
    kind: "a session never ends by itself",
    file: "src/identity/access/sessions.ts",
    from: "return this.#needs.clock.nowMs() < this.endsAtMs(row);",
    to: "return 0 < this.endsAtMs(row);",
    tests: ["src/identity/access/sessions.test.ts"],
  },
  {
    kind: "a code for credit is redeemed twice",
    file: "src/admin/redemption/redeem.ts",
    from: 'redemptionStatus(row, needs.clock.nowMs()) === "open"',
    to: 'redemptionStatus(row, needs.clock.nowMs()) !== "expired"',
    tests: [`${conformance}/accounts/redemption.test.ts`],
  },
  {
    kind: "a misspelt filter lists everything",
    file: "src/http/known-query.ts",
    from: "if (known.includes(name)) continue;",
    to: 'if (name !== "") continue;',
    tests: ["test/hazards/routes.test.ts", `${conformance}/control.test.ts`],
  },
  {
    kind: "the console may run scripts of others",
    file: "src/http/console/headers.ts",
    from: "\"script-src 'self'\",",
    to: "\"script-src 'self' 'unsafe-inline'\",",
    tests: [`${conformance}/console/serving.test.ts`],
  },
  {
    kind: "a cell of a table is a formula",
    file: "src/core/csv.ts",
    from: "opensFormula.test(cell) ? `'${cell}` : cell",
    to: "opensFormula.test(cell) ? cell : cell",
    tests: ["src/core/csv.test.ts"],
  },
  {
    kind: "an answer that was cut short is told as whole",
    file: "src/formats/messages/stop-reason.ts",
    from: 'length: "max_tokens",',
    to: 'length: "end_turn",',
    tests: [`${conformance}/text/matrix.test.ts`],
  },
  {
    kind: "half an event at the end of a chunk is lost",
    file: "src/core/sse.ts",
    from: "if (!isAll) this.#hold(chunk.subarray(end));",
    to: "",
    tests: [`${conformance}/chat-stream.test.ts`, "src/core/sse.test.ts"],
  },
  {
    kind: "a line of the journal is believed without its checksum",
    file: "src/store/sqlite/journal-line.ts",
    from: "if (checksum(text) !== sum) return null;",
    to: "",
    tests: ["src/store/sqlite/journal-file.test.ts", "test/sim/ledger.test.ts"],
  },
  {
    kind: "a name draws on the operator's terminal",
    file: "src/cli/table.ts",
    from: 'text.replace(/\\p{C}/gu, "?")',
    to: "text.trim()",
    tests: ["src/cli/table.test.ts"],
  },
  {
    kind: "the console rounds money down",
    file: "web/core/format.ts",
    from: "Math.floor(micros / unit + 0.5)",
    to: "Math.floor(micros / unit)",
    tests: ["web/core/format.test.ts"],
  },
];
