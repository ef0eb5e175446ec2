// Sum of an account: granted is available, held and spent, and each term opens its lines.
import type { ComponentChildren } from "preact";
import type { BalanceView } from "../../../src/admin/contract.ts";
import { pathOf, useAnswer } from "../../core/control.ts";
import { withQuery, type Loaded } from "../../core/api.ts";
import { count, exactMoney } from "../../core/format.ts";
import { may } from "../../core/session.ts";
import { Dot } from "../../kit/badge.tsx";
import { CurlButton } from "../../kit/code.tsx";
import { Skeleton } from "../../kit/empty.tsx";
import { Card } from "../../kit/figures.tsx";
import { t } from "./words.ts";

/** Equation of the account of that name, or of one's own; of an admin's none until one is named. */
export function Equation({ account }: { account: string | null }) {
  if (!may("money.read")) return <OwnBalance />;
  return account === null ? null : <Named key={account} name={account} />;
}

function Named({ name }: { name: string }) {
  const { data } = useAnswer("GET /api/user", { query: { q: name, page_size: 20 } });
  const one = data?.items.find(({ username }) => username.toLowerCase() === name.toLowerCase());
  return one ? <BalanceOf id={one.id} /> : null;
}

function OwnBalance() {
  const path = pathOf("GET /api/user/self/balance");
  return <Shown path={path} loaded={useAnswer("GET /api/user/self/balance")} />;
}

function BalanceOf({ id }: { id: string }) {
  const path = pathOf("GET /api/user/{id}/balance", { id });
  return <Shown path={path} loaded={useAnswer("GET /api/user/{id}/balance", { id })} />;
}

function Shown({ path, loaded }: { path: string; loaded: Loaded<BalanceView> }) {
  const words = t();
  const { data, error } = loaded;
  if (error) return null;
  const state = data && (
    <Dot tone={data.adds_up ? "good" : "bad"}>{data.adds_up ? words.addsUp : words.addsUpNot}</Dot>
  );
  return (
    <Card
      title={words.equation(data?.account ?? "")}
      note={state}
      tools={<CurlButton path={path} />}
    >
      {data ? <Terms balance={data} /> : <Skeleton lines={2} height={20} />}
    </Card>
  );
}

function Terms({ balance }: { balance: BalanceView }) {
  const words = t();
  const { account, grants, posts, holds } = balance;
  const of = may("money.read") ? { account } : {};
  const lines = (kind: string) => withQuery("/console/ledger", { ...of, kind });
  const held = may("money.read") ? withQuery("/console/ledger", { part: "holds", account }) : null;
  return (
    <div class="equation">
      <Term name={words.granted} micros={balance.granted_micros} href={lines("grant")}>
        {words.linesOf(count(grants.count))}
      </Term>
      <span class="sign">=</span>
      <Term name={words.available} micros={balance.available_micros} href={null}>
        {balance.unlimited ? words.unlimited : words.left}
      </Term>
      <span class="sign">+</span>
      <Term name={words.held} micros={balance.held_micros} href={held}>
        {words.holdsOf(count(holds.count))}
      </Term>
      <span class="sign">+</span>
      <Term name={words.spent} micros={balance.spent_micros} href={lines("post")}>
        {words.linesOf(count(posts.count))}
      </Term>
    </div>
  );
}

interface TermOptions {
  name: string;
  micros: number;
  /** Address of its lines. */
  href: string | null;
  children: ComponentChildren;
}

function Term({ name, micros, href, children }: TermOptions) {
  const amount = <span class="amount">{exactMoney(micros)}</span>;
  return (
    <div class="term">
      <span class="quiet">{name}</span>
      {href === null ? (
        amount
      ) : (
        <a href={href} aria-label={`${name}: ${exactMoney(micros)}`}>
          {amount}
        </a>
      )}
      <span class="faint">{children}</span>
    </div>
  );
}
