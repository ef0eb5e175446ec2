// One model: what it takes, what it costs, who serves it, and how it is called.
import type { ModelView } from "../../../src/admin/contract.ts";
import { count } from "../../core/format.ts";
import { addressOf, openId } from "../../core/place.ts";
import { curl } from "../../core/quote.ts";
import { isAdmin, self } from "../../core/session.ts";
import { Badge, Dot } from "../../kit/badge.tsx";
import { LinkButton } from "../../kit/button.tsx";
import { Code, CurlButton, Id } from "../../kit/code.tsx";
import { Drawer } from "../../kit/drawer.tsx";
import { Facts } from "../../kit/figures.tsx";
import { Snippets } from "../../kit/snippets.tsx";
import { ModelNote } from "./note.tsx";
import { PriceFacts } from "./price.tsx";
import { t } from "./words.ts";

interface DetailOptions {
  view: ModelView;
  path: string;
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
}

export function tryAddress({ id, kind }: ModelView): string {
  const search = new URLSearchParams({ ...(kind === "text" ? {} : { kind }), model: id });
  return `${addressOf("playground")}?${search.toString()}`;
}

/** Models that the playground has a place for. */
export function canTry({ endpoints, reachable }: ModelView): boolean {
  const known = ["chat", "image", "video"];
  return self.value !== null && reachable && endpoints.some((one) => known.includes(one));
}

export function ModelDetail({ view, path, onPrevious, onNext }: DetailOptions) {
  const words = t();
  const footer = canTry(view) && (
    <LinkButton kind="main" icon="playground" href={tryAddress(view)}>
      {words.try}
    </LinkButton>
  );
  return (
    <Drawer
      {...{ title: view.name, footer, onPrevious, onNext }}
      isWide
      onClose={() => openId(null)}
    >
      <ModelFacts view={view} />
      {self.value !== null && <ModelNote model={view.id} />}
      <h3>{words.priceFor(view.group, String(view.multiplier))}</h3>
      {view.price ? <PriceFacts price={view.price} /> : <p class="quiet">{words.free}</p>}
      <HowToCall view={view} />
      <div class="row">
        {isAdmin() && (
          <LinkButton
            icon="requests"
            href={`/console/requests?model=${encodeURIComponent(view.id)}`}
          >
            {words.requests}
          </LinkButton>
        )}
        <CurlButton path={path} />
      </div>
    </Drawer>
  );
}

function ModelFacts({ view }: { view: ModelView }) {
  const words = t();
  const { input_tokens_max: input, output_tokens_max: output } = view;
  return (
    <Facts
      pairs={[
        [words.id, <Id text={view.id} />],
        [words.kind, words.kinds[view.kind]],
        [words.state, <Reach view={view} />],
        [
          words.formats,
          <span class="row wraps">
            {view.endpoints.map((one) => (
              <Badge key={one}>{one}</Badge>
            ))}
          </span>,
        ],
        input > 0 && [words.limits, limitsOf(count(input), output > 0 ? count(output) : null)],
        view.family !== null && [words.family, view.family],
        [words.owner, view.owned_by],
        view.channels !== undefined && [words.channels, <Channels view={view} />],
      ]}
    />
  );
}

export function limitsOf(input: string, output: string | null): string {
  return output === null ? t().limit(input) : t().limitBoth(input, output);
}

export function Reach({ view }: { view: ModelView }) {
  return <Dot tone={view.reachable ? "good" : "bad"}>{view.reachable ? t().open : t().closed}</Dot>;
}

function Channels({ view }: { view: ModelView }) {
  const words = t();
  return (
    <ul class="stack serving">
      {view.channels?.map(({ id, name, priority, state }) => (
        <li key={id} class="row wraps">
          <a class="link" href={addressOf("channels", id)}>
            {name}
          </a>
          <span class="faint">{words.priority(priority)}</span>
          {state !== "open" && <Badge tone="warn">{words.states[state]}</Badge>}
        </li>
      ))}
    </ul>
  );
}

function HowToCall({ view }: { view: ModelView }) {
  const words = t();
  return (
    <>
      <h3>{words.snippet}</h3>
      <p class="quiet">{words.snippetNote}</p>
      {view.endpoints.includes("chat") ? (
        <Snippets secret={null} model={view.id} />
      ) : (
        <Code text={curlFor(view)} />
      )}
    </>
  );
}

const routes: Readonly<Record<string, string>> = {
  embeddings: "/v1/embeddings",
  image: "/v1/images/generations",
  video: "/v1/videos",
};

function curlFor({ id, endpoints }: ModelView): string {
  const [endpoint = ""] = endpoints;
  const path = routes[endpoint] ?? "/v1/images/generations";
  const body = { model: id, [endpoint === "embeddings" ? "input" : "prompt"]: "A fox in the snow" };
  return curl({ url: location.origin + path, bearer: { variable: "SLUICE_KEY" }, body });
}
