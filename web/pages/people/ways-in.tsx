// A person's sessions, factors besides the password, and other sites to sign in through.
import { useState } from "preact/hooks";
import type { UserView } from "../../../src/admin/contract.ts";
import { refresh, useAction } from "../../core/api.ts";
import { pathOf, send, useAnswer } from "../../core/control.ts";
import { count, moment } from "../../core/format.ts";
import { may } from "../../core/session.ts";
import { Button } from "../../kit/button.tsx";
import { Confirm } from "../../kit/dialog.tsx";
import { Refusal } from "../../kit/failure.tsx";
import { Card, Facts } from "../../kit/figures.tsx";
import { showToast } from "../../kit/toast.tsx";
import { Related } from "./parts.tsx";
import { t } from "./words.ts";

export function WaysIn({ view: { id } }: { view: UserView }) {
  return (
    <>
      <Sessions id={id} />
      <Factors id={id} />
      <Sites id={id} />
    </>
  );
}

function Sessions({ id }: { id: string }) {
  const words = t();
  const end = useAction(async (session: string) => {
    await send("DELETE /api/user/{id}/sessions/{part}", { id, part: session });
    refresh(pathOf("GET /api/user/{id}/sessions", { id }));
    showToast(words.sessionEnded);
  });
  return (
    <>
      <Related
        title={words.sessions}
        loaded={useAnswer("GET /api/user/{id}/sessions", { id })}
        idOf={(session) => session.id}
        empty={words.noSessions}
        columns={[
          {
            name: "agent",
            head: words.browser,
            cell: ({ agent }) => <span title={agent}>{agent || "–"}</span>,
          },
          { name: "ip", head: words.ip, cell: ({ ip }) => <span class="mono">{ip}</span> },
          {
            name: "used",
            head: words.lastUsed,
            cell: ({ last_used_at: at }) => (
              <span title={moment(at, "full")}>{moment(at, "date")}</span>
            ),
          },
          may("people.write") && {
            name: "end",
            head: "",
            cell: (session) => (
              <Button isSmall isBusy={end.isBusy} onClick={() => void end.run(session.id)}>
                {words.end}
              </Button>
            ),
            isRight: true,
            card: "aside",
          },
        ]}
      />
      <Refusal error={end.error} />
    </>
  );
}

function Factors({ id }: { id: string }) {
  const words = t();
  const { data } = useAnswer("GET /api/user/{id}/second-factor", { id });
  if (!data) return null;
  const { totp, passkeys } = data;
  const since = totp.enabled_at;
  const remove = async (part: string) => {
    await send("DELETE /api/user/{id}/second-factor/{part}", { id, part });
    refresh(pathOf("GET /api/user/{id}/second-factor", { id }));
  };
  return (
    <Card title={words.factors}>
      <Facts
        pairs={[
          [words.totp, since === null ? words.no : words.since(moment(since, "date"))],
          [words.passkeys, passkeys.map(({ name }) => name).join(", ") || words.no],
          [words.recovery, count(data.recovery_codes_left)],
          [words.isRequired, data.required ? words.yes : words.notRequired],
        ]}
      />
      <div class="row wraps">
        {since !== null && may("second_factors.reset") && (
          <Removal name={words.totp} run={() => remove("totp")} />
        )}
        {may("second_factors.reset") &&
          passkeys.map((one) => (
            <Removal key={one.id} name={one.name} run={() => remove(one.id)} />
          ))}
      </div>
    </Card>
  );
}

function Sites({ id }: { id: string }) {
  const words = t();
  const loaded = useAnswer("GET /api/user/{id}/identities", { id });
  if (!loaded.data || loaded.data.items.length === 0) return null;
  const unlink = async (part: string) => {
    await send("DELETE /api/user/{id}/identities/{part}", { id, part });
    refresh(pathOf("GET /api/user/{id}/identities", { id }));
  };
  return (
    <Related
      title={words.sites}
      loaded={loaded}
      idOf={(site) => site.id}
      empty={words.no}
      columns={[
        { name: "provider", head: words.site, cell: ({ provider }) => provider },
        may("people.write") && {
          name: "unlink",
          head: "",
          cell: (site) => <Removal name={site.provider} run={() => unlink(site.id)} />,
          isRight: true,
          card: "aside",
        },
      ]}
    />
  );
}

/** A way in that an admin takes away, after asking. */
function Removal({ name, run }: { name: string; run(): Promise<void> }) {
  const words = t();
  const [isAsking, setAsking] = useState(false);
  const remove = useAction(run);
  const title = words.removeWay(name);
  return (
    <>
      <Button isSmall onClick={() => setAsking(true)}>
        {title}
      </Button>
      {isAsking && (
        <Confirm
          title={title}
          effect={words.removeWayEffect}
          submit={words.removeNow}
          action={remove}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
