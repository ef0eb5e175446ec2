// Proof of the books: each thing that must be true, and when it last was.
import type { VerdictView } from "../../../src/admin/contract.ts";
import { send, useAnswer } from "../../core/control.ts";
import { refresh, useAction } from "../../core/api.ts";
import { count, millis, moment } from "../../core/format.ts";
import { Dot } from "../../kit/badge.tsx";
import { Button } from "../../kit/button.tsx";
import { Code, CurlButton } from "../../kit/code.tsx";
import { Empty, Skeleton } from "../../kit/empty.tsx";
import { Failure, Refusal } from "../../kit/failure.tsx";
import { Card } from "../../kit/figures.tsx";
import { Table } from "../../kit/table.tsx";
import { t } from "./words.ts";

const path = "/api/ledger/verify";

export function Proof() {
  const words = t();
  const { data, error, isPending, reload } = useAnswer("GET /api/ledger/verify");
  const verify = useAction(async () => {
    await send("POST /api/ledger/verify");
    refresh(path, "/api/status");
  });
  return (
    <>
      <div class="bar">
        <Button kind="main" icon="check" isBusy={verify.isBusy} onClick={() => void verify.run()}>
          {words.verify}
        </Button>
        {data && <State verdict={data} />}
        <span class="push">
          <CurlButton path={path} method="POST" />
        </span>
      </div>
      <Refusal error={verify.error} />
      {error && !data && <Failure error={error} onRetry={reload} />}
      {isPending && !data && <Skeleton lines={10} />}
      {!isPending && !error && !data && (
        <Card>
          <BeforeStart />
        </Card>
      )}
      {data && <Invariants verdict={data} />}
    </>
  );
}

/** Verdict that only the time is known of: it was given to a command, or before the start. */
function BeforeStart() {
  const words = t();
  const { data } = useAnswer("GET /api/status");
  const last = data?.process?.last_verify ?? null;
  if (last === null) return <Empty title={words.notVerified} text={words.notVerifiedText} />;
  const at = moment(last.at, "full");
  const title = last.ok ? words.agreedAt(at) : words.agreedNotAt(at);
  return <Empty title={title} text={words.notVerifiedText} />;
}

function State({ verdict: { ok, at, took_ms: took, rows } }: { verdict: VerdictView }) {
  const words = t();
  const all = rows.accounts + rows.keys + rows.holds + rows.entries;
  return (
    <>
      <Dot tone={ok ? "good" : "bad"}>{ok ? words.agree : words.agreeNot}</Dot>
      <span class="faint">{words.looked(moment(at, "full"), count(all), millis(took))}</span>
    </>
  );
}

function Invariants({ verdict }: { verdict: VerdictView }) {
  const words = t();
  const broken = verdict.invariants.filter(({ holds }) => !holds);
  return (
    <>
      <Card isFlush>
        <div class="proof">
          <Table<VerdictView["invariants"][number]>
            label={words.proof}
            rows={verdict.invariants}
            idOf={({ name }) => name}
            columns={[
              {
                name: "name",
                head: words.invariant,
                cell: ({ name }) => <span class="wrap">{name}</span>,
              },
              {
                name: "holds",
                head: words.state,
                cell: ({ holds }) => (
                  <Dot tone={holds ? "good" : "bad"}>{holds ? words.isTrue : words.isBroken}</Dot>
                ),
                card: "aside",
              },
            ]}
          />
        </div>
      </Card>
      {broken.map(({ name, violations }) => (
        <Card key={name} title={name}>
          <Code text={JSON.stringify(violations, null, 2)} />
        </Card>
      ))}
    </>
  );
}
